//! The laboratory: what is measured, and how it is shown.
//!
//! For now it draws. [`draw::Board`] is a board as people look at it, with a heat map, the marks of the shots and the
//! coordinates, as SVG text or, through [`draw::png`], as an image. Nothing here touches a file: callers write what they get.

pub mod draw;
