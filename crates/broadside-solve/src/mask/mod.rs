//! Masks: firing patterns that no ship escapes. How small they can be, and how many shots they take.
//!
//! * [`diagonal`]: the cells of every l-th diagonal, counted in closed form;
//! * [`blocking`]: the smallest set of cells that every placement meets, with a packing that proves it smallest;
//! * [`hitting`]: exact minimum hitting sets, which [`midgame`] needs;
//! * [`midgame`]: the smallest set after some shots, and the fewest shots that are sure to hit something;
//! * [`expected_shots`]: the expected number of shots to find, and to find and sink, one ship;
//! * [`table`]: the figures of the documentation.
//!
//! ```
//! use broadside_solve::mask::{OneShipBoard, blocking, diagonal};
//! let board = OneShipBoard::new("10x10".parse()?, 3)?;
//! let block = blocking::blocking(board);
//! assert_eq!(block.cells.len(), 33);
//! assert!(block.is_proved(board));
//! assert_eq!(diagonal::best_diagonal_count(board), 33);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod blocking;
mod board;
pub mod diagonal;
pub mod expected_shots;
pub mod hitting;
pub mod midgame;
pub mod table;

use broadside_rules::Grid;

pub use board::OneShipBoard;

/// Why there is no mask.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaskError {
    /// Length 0, or longer than both sides.
    #[error("no ship of length {length} fits on {grid}: there is nothing to block")]
    NoShipFits {
        /// The board.
        grid: Grid,
        /// The length that does not fit.
        length: usize,
    },
    /// The fleet has no ship of this length, or all of them are known to be sunk.
    #[error("no ship of length {length} is afloat: there is nothing to block")]
    NoneAfloat {
        /// The length.
        length: usize,
    },
    /// Every cell of the fleet is hit.
    #[error("all ships are sunk: there is nothing left to hit")]
    Over,
    /// No layout fits the log.
    #[error("no layout fits the log")]
    NoLayout,
    /// The effort ran out before it was known whether a layout fits the log.
    #[error("whether a layout fits the log was not found out within the given effort")]
    Unknown,
}
