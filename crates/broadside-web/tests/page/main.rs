//! The page in a real browser, against a server of its own.

mod analyse;
mod host;
mod lab;
mod phone;
mod placing;
mod play;
mod screenshots;
mod two;
