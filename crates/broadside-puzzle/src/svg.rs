//! Puzzles as pictures: SVG, and pages for printing.

use broadside_rules::{Cell, Layout};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::{Line, Mark, Puzzle};

/// The side of a cell.
const SIDE: usize = 40;
/// Room for the numbers, and around the board.
const EDGE: usize = 36;
/// The height of the line with the ships to be found.
const FLEET: usize = 34;

impl Puzzle {
    /// The puzzle as an SVG picture, with the solution drawn in if it is given. It needs no style sheet, script or network.
    pub fn svg(&self, solution: Option<&Layout>) -> String {
        let (width, height) = self.size();
        let (width, height) = (width.to_string(), height.to_string());
        let view = format!("0 0 {width} {height}");
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(view) width=(width) height=(height) role="img"
                font-family="'DejaVu Sans', Arial, sans-serif" {
                title { (self.title(solution)) }
                rect width=(width) height=(height) fill="#ffffff" {}
                (self.cells(solution))
                (self.counts())
                (self.labels())
                (self.ships_to_find())
            }
        }
        .into_string()
    }

    fn title(&self, solution: Option<&Layout>) -> String {
        let what = if solution.is_some() { "Solution of a Battleship puzzle" } else { "Battleship puzzle" };
        format!("{what}, {}, ships of {}", self.grid(), self.fleet())
    }

    fn size(&self) -> (usize, usize) {
        let fleet: usize = self.fleet().lengths().iter().map(|length| length.get() * SMALL + SMALL).sum();
        let lines = fleet.div_ceil(self.grid().cols() * SIDE);
        (2 * EDGE + self.grid().cols() * SIDE, 2 * EDGE + self.grid().rows() * SIDE + FLEET * lines)
    }

    fn cells(&self, solution: Option<&Layout>) -> Markup {
        html! {
            @for cell in self.grid().cells() {
                @let (x, y) = corner(cell);
                @let given = self.mark(cell);
                @let mark = given.or_else(|| solution.map(|layout| Mark::of(layout, cell)));
                @let fill = if given.is_some() { "#e3e8ec" } else { "#ffffff" };
                rect x=(x) y=(y) width=(SIDE) height=(SIDE) fill=(fill) stroke="#555555" {}
                @if let Some(mark) = mark.filter(|&mark| given.is_some() || mark != Mark::Water) { (part(mark, x, y, SIDE)) }
            }
            rect x=(EDGE) y=(EDGE) width=(self.grid().cols() * SIDE) height=(self.grid().rows() * SIDE) fill="none" stroke="#000000" stroke-width="2" {}
        }
    }

    /// The counts: of rows at the right, of columns below.
    fn counts(&self) -> Markup {
        let (rows, cols) = (self.grid().rows(), self.grid().cols());
        let text = |line: Line| self.count(line).map(|count| count.to_string()).unwrap_or_default();
        html! {
            @for row in 0..rows { (words(EDGE + cols * SIDE + EDGE / 2, middle(row), 20, "#000000", &text(Line::Row(row)))) }
            @for column in 0..cols { (words(middle(column), EDGE + rows * SIDE + EDGE / 2, 20, "#000000", &text(Line::Column(column)))) }
        }
    }

    /// The letters of the rows at the left, the numbers of the columns above, small: hints name cells by them.
    fn labels(&self) -> Markup {
        html! {
            @for row in 0..self.grid().rows() { (words(EDGE / 2, middle(row), 12, "#777777", &Line::Row(row).label())) }
            @for column in 0..self.grid().cols() { (words(middle(column), EDGE / 2, 12, "#777777", &Line::Column(column).label())) }
        }
    }

    /// The fleet, drawn below the board.
    fn ships_to_find(&self) -> Markup {
        let (mut x, mut y) = (EDGE, 2 * EDGE + self.grid().rows() * SIDE);
        let mut ships = Vec::new();
        for length in self.fleet().lengths().iter().map(|length| length.get()) {
            if x > EDGE && x + length * SMALL > EDGE + self.grid().cols() * SIDE {
                (x, y) = (EDGE, y + FLEET);
            }
            ships.push((x, y, length));
            x += length * SMALL + SMALL;
        }
        html! {
            @for (x, y, length) in ships {
                @for i in 0..length { (part(in_row(i, length), x + i * SMALL, y, SMALL)) }
            }
        }
    }
}

/// The side of a cell of the ships to be found.
const SMALL: usize = 20;

/// The part that cell `i` of a ship in a row is.
const fn in_row(i: usize, length: usize) -> Mark {
    match (length, i) {
        (1, _) => Mark::Single,
        (_, 0) => Mark::Left,
        _ if i + 1 == length => Mark::Right,
        _ => Mark::Middle,
    }
}

fn corner(cell: Cell) -> (usize, usize) {
    (EDGE + cell.col() * SIDE, EDGE + cell.row() * SIDE)
}

const fn middle(index: usize) -> usize {
    EDGE + index * SIDE + SIDE / 2
}

/// The shape of a part of a ship, or waves for water, in a square with this corner and side.
fn part(mark: Mark, x: usize, y: usize, side: usize) -> Markup {
    let (left, top, full) = (x + side / 8, y + side / 8, side - 2 * (side / 8));
    let (right, bottom, half) = (left + full, top + full, full / 2);
    let path = match mark {
        Mark::Water => return waves(left, y + side / 2, full / 4),
        Mark::Single => format!("M{left} {}a{half} {half} 0 1 1 {full} 0a{half} {half} 0 1 1 -{full} 0z", top + half),
        Mark::Middle | Mark::Ship => format!("M{left} {top}H{right}V{bottom}H{left}z"),
        Mark::Left => format!("M{right} {top}H{}a{half} {half} 0 0 0 0 {full}H{right}z", left + half),
        Mark::Right => format!("M{left} {top}H{}a{half} {half} 0 0 1 0 {full}H{left}z", left + half),
        Mark::Top => format!("M{left} {bottom}V{}a{half} {half} 0 0 1 {full} 0V{bottom}z", top + half),
        Mark::Bottom => format!("M{left} {top}V{}a{half} {half} 0 0 0 {full} 0V{top}z", top + half),
    };
    html! { path d=(path) fill="#222222" {} }
}

/// Four waves of this length from a point to the right.
fn waves(x: usize, y: usize, length: usize) -> Markup {
    let path = format!("M{x} {y}q{} -{length} {length} 0t{length} 0t{length} 0t{length} 0", length / 2);
    html! { path d=(path) fill="none" stroke="#3a6ea5" stroke-width="2" {} }
}

fn words(x: usize, y: usize, size: usize, ink: &str, text: &str) -> Markup {
    html! {
        text x=(x) y=(y + size / 3) font-size=(size) fill=(ink) text-anchor="middle" { (text) }
    }
}

/// How pages are laid out for printing.
const STYLE: &str = "
@page { size: A4; margin: 14mm }
body { font-family: 'DejaVu Sans', Arial, sans-serif; margin: 0 auto; max-width: 190mm; color: #000; background: #fff }
h1 { font-size: 15pt } h2 { font-size: 11pt; margin: 0 0 2mm }
.pages { display: grid; grid-template-columns: 1fr 1fr; gap: 8mm }
.solutions { display: grid; grid-template-columns: repeat(4, 1fr); gap: 5mm; break-before: page }
.solutions h1 { grid-column: 1 / -1 }
figure { margin: 0; break-inside: avoid } svg { width: 100%; height: auto }
";

const HOW: &str = "Find the ships: the number at the end of each row and column says how many of its cells hold a ship. Ships lie along \
a row or a column and never touch, not even at corners. The ships to be found are drawn below each puzzle; some cells are given.";

/// A puzzle to be printed, with its solution and a title.
#[derive(Clone, Debug)]
pub struct PrintedPuzzle {
    /// A short title, such as its number and grade.
    pub title: String,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Layout,
}

/// Pages for printing, or for saving as PDF from a browser's print dialog: the puzzles two in a row, then their solutions.
pub fn page(puzzles: &[PrintedPuzzle]) -> String {
    let figure = |title: &str, svg: String| html! { figure { h2 { (title) } (PreEscaped(svg)) } };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { "Battleship puzzles" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Battleship puzzles" }
                p { (HOW) }
                div class="pages" { @for printed in puzzles { (figure(&printed.title, printed.puzzle.svg(None))) } }
                div class="solutions" {
                    h1 { "Solutions" }
                    @for printed in puzzles { (figure(&printed.title, printed.puzzle.svg(Some(&printed.solution)))) }
                }
            }
        }
    }
    .into_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    fn printed() -> PrintedPuzzle {
        let puzzle: Puzzle = "3,1 3,0,1 1,1,2 C3o B1~".parse().unwrap();
        let Ok(Verdict::Unique(solution)) = puzzle.solve(10) else { panic!("one solution") };
        PrintedPuzzle { title: "1 < 2".to_owned(), puzzle, solution }
    }

    #[test]
    fn a_picture_has_every_cell_count_and_revealed_part() {
        let printed = printed();
        let (open, solved) = (printed.puzzle.svg(None), printed.puzzle.svg(Some(&printed.solution)));
        // The background, nine cells and the frame.
        assert_eq!(open.matches("<rect").count(), 11);
        assert_eq!(open.matches("font-size=\"20\"").count(), 6);
        // One revealed ship, one revealed cell of water, and a fleet of four cells below; solved, three more ship cells.
        assert_eq!([open.matches("<path").count(), solved.matches("<path").count()], [6, 9]);
    }

    #[test]
    fn a_page_has_each_puzzle_and_its_solution_and_escapes_titles() {
        let page = page(&[printed(), printed()]);
        assert_eq!(page.matches("<svg").count(), 4);
        assert_eq!(page.matches("1 &lt; 2").count(), 4);
        assert_eq!(page.matches("Solution of a Battleship puzzle").count(), 2);
    }
}
