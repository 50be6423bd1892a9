//! The page in a real browser, against a server of its own.

mod analyse;
mod axe;
mod everyone;
mod felt;
mod first_visit;
mod hiding;
mod host;
mod lab;
mod memory;
mod phone;
mod placing;
mod play;
mod puzzle;
mod screenshots;
mod shots_to_go;
mod two;
mod variants;
