//! Reads a board from standard input and says what is wrong with it.
//!
//! ```text
//! echo "A1-A5 C3-F3 H2-H4 J8-J10 D9-E9" | cargo run -p broadside-rules --example check_board
//! cargo run -p broadside-rules --example check_board russian < board.txt
//! ```
//!
//! The board is a list of ships or a picture with `X` for a ship and `.` for water. The argument is a preset, or rules such as
//! `"8x8 4,3,2 never ship"`.

use std::env;
use std::error::Error;
use std::io::{Read, stdin};

use broadside_rules::{Draft, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let rules: Rules = env::args().nth(1).as_deref().unwrap_or("classic").parse()?;
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    let report = text.parse::<Draft>()?.check(&rules);
    for violation in report.violations() {
        println!("{violation}");
    }
    if let Ok(layout) = report.into_layout() {
        println!("legal: {layout}");
    }
    Ok(())
}
