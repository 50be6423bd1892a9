//! The mask of an empty board.

use std::io::{self, Write};

use broadside_lab::draw;
use broadside_rules::CellSet;
use broadside_solve::mask::OneShipBoard;
use broadside_solve::mask::blocking::{blocking, blocking_number};
use broadside_solve::mask::diagonal::{best_offset, diagonal_count, diagonal_mask};
use broadside_solve::mask::expected_shots::{Finding, Optimum, Sinking};
use broadside_solve::mask::hitting::Effort;
use broadside_solve::mask::table::{optimum_text, shots_text};
use serde::Serialize;

use super::{MaskReport, names, shots};
use crate::draw::{Square, board};
use crate::output;

/// A mask with all that is known of it.
pub(super) struct Empty {
    board: OneShipBoard,
    /// The mask to show: a smallest one, or the diagonal one that was asked for.
    cells: CellSet,
    /// The offset that was asked for.
    offset: Option<usize>,
    /// As many ships without a common cell as a smallest mask has cells.
    packing: Vec<String>,
    finding: Finding,
    sinking: Sinking,
}

impl Empty {
    pub(super) fn new(board: OneShipBoard, offset: Option<usize>, effort: u64) -> Self {
        let proof = blocking(board);
        let offset = offset.map(|offset| offset % board.length().get());
        Self {
            board,
            cells: offset.map_or(proof.cells, |offset| diagonal_mask(board, offset)),
            offset,
            packing: proof.packing.iter().map(ToString::to_string).collect(),
            finding: Finding::new(board, &mut Effort::nodes(effort)),
            sinking: Sinking::new(board, &mut Effort::nodes(effort)),
        }
    }

    fn is_smallest(&self) -> bool {
        self.cells.len() == self.packing.len()
    }

    fn headline(&self) -> String {
        let board = format!("{}, length {}", self.board.grid(), self.board.length());
        let count = shots(self.cells.len());
        match (self.offset, self.is_smallest()) {
            (None, _) => format!("{board}: every ship is met by {count}, and by no fewer"),
            (Some(k), true) => format!("{board}, diagonal mask at offset {k}: every ship is met by {count}, and by no fewer"),
            (Some(k), false) => {
                let least = blocking_number(self.board);
                format!("{board}, diagonal mask at offset {k}: every ship is met by {count}, but {least} can do")
            }
        }
    }

    /// The diagonal masks of all offsets, against the smallest number.
    fn diagonals(&self) -> String {
        let counts: Vec<usize> = (0..self.board.length().get()).map(|k| diagonal_count(self.board, k)).collect();
        let listed = counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let (best, least) = (best_offset(self.board), blocking_number(self.board));
        let verdict = if counts[best] == least {
            format!("a diagonal mask is smallest (offset {best})")
        } else {
            format!("no diagonal mask is smallest: the best, at offset {best}, has {}", counts[best])
        };
        format!("Diagonal masks at offsets 0 to {best} have {listed} cells; {verdict}.")
    }

    fn write_expected(&self, out: &mut dyn Write) -> io::Result<()> {
        let (find, sink) = (&self.finding, &self.sinking);
        let rows = [
            ("mask, random order, then neighbours", shots_text(find.random), shots_text(sink.neighbours)),
            ("mask, random order, then best", shots_text(find.random), shots_text(sink.random)),
            ("mask, best order, then best", shots_text(find.ordered), shots_text(sink.ordered)),
            ("greedy by count", shots_text(find.greedy), shots_text(sink.greedy)),
            ("best play", optimum_text(find.least), optimum_text(sink.least)),
        ];
        let width = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
        writeln!(out, "\n{:37}  {:width$}  to find and sink", "Expected shots, best diagonal mask", "to find")?;
        rows.iter().try_for_each(|(way, find, sink)| writeln!(out, "  {way:35}  {find:width$}  {sink}"))
    }

    fn draw(&self, out: &mut dyn Write, cells: &CellSet) -> io::Result<()> {
        board(out, self.board.grid(), |cell| if cells.contains(cell) { Square::Aim } else { Square::Water })
    }
}

impl MaskReport for Empty {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (length, least) = (self.board.length(), self.packing.len());
        writeln!(out, "{}\n", self.headline())?;
        self.draw(out, &self.cells)?;
        writeln!(
            out,
            "\nNo fewer than {least}: {least} ships of length {length} fit on the board side by side, and each needs a shot."
        )?;
        writeln!(out, "{}", self.diagonals())?;
        let diagonal = diagonal_mask(self.board, best_offset(self.board));
        if self.offset.is_none() && diagonal.len() > least {
            writeln!(out, "\nThe best diagonal mask\n")?;
            self.draw(out, &diagonal)?;
        }
        self.write_expected(out)
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        output::json_line(out, &Json::new(self))
    }

    fn board(&self) -> draw::Board {
        // Short, since a board may be narrow.
        let title = format!("{}, length {}", self.board.grid(), self.board.length());
        let caption = format!("{}, {} needed", shots(self.cells.len()), self.packing.len());
        draw::Board::new(self.board.grid()).with_title(title).with_caption(caption).with_best(self.cells.iter())
    }
}

#[derive(Serialize)]
struct Json {
    cells: Vec<String>,
    count: usize,
    smallest: bool,
    at_least: usize,
    packing: Vec<String>,
    diagonal: Diagonal,
    find: Find,
    sink: Sink,
}

/// The best diagonal mask.
#[derive(Serialize)]
struct Diagonal {
    offset: usize,
    count: usize,
    smallest: bool,
}

/// Expected shots are fractions, so decimal strings such as `1203/80`.
#[derive(Serialize)]
struct Find {
    random: String,
    ordered: String,
    greedy: String,
    optimum: Bounds,
}

#[derive(Serialize)]
struct Sink {
    neighbours: String,
    random: String,
    ordered: String,
    greedy: String,
    optimum: Bounds,
}

#[derive(Serialize)]
struct Bounds {
    at_least: String,
    at_most: String,
    exact: bool,
}

impl Bounds {
    fn new(optimum: Optimum) -> Self {
        let (least, most) = match optimum {
            Optimum::Exact(shots) => (shots, shots),
            Optimum::Between { least, most } => (least, most),
        };
        Self { at_least: least.to_string(), at_most: most.to_string(), exact: matches!(optimum, Optimum::Exact(_)) }
    }
}

impl Json {
    fn new(mask: &Empty) -> Self {
        let (board, find, sink) = (mask.board, &mask.finding, &mask.sinking);
        let count = diagonal_count(board, best_offset(board));
        Self {
            cells: names(&mask.cells),
            count: mask.cells.len(),
            smallest: mask.is_smallest(),
            at_least: mask.packing.len(),
            packing: mask.packing.clone(),
            diagonal: Diagonal { offset: best_offset(board), count, smallest: count == mask.packing.len() },
            find: Find {
                random: find.random.to_string(),
                ordered: find.ordered.to_string(),
                greedy: find.greedy.to_string(),
                optimum: Bounds::new(find.least),
            },
            sink: Sink {
                neighbours: sink.neighbours.to_string(),
                random: sink.random.to_string(),
                ordered: sink.ordered.to_string(),
                greedy: sink.greedy.to_string(),
                optimum: Bounds::new(sink.least),
            },
        }
    }
}
