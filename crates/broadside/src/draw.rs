//! Boards drawn for people, with letters and numbers along the edges.

use std::io::{self, Write};

use anstyle::{Ansi256Color, AnsiColor, Style};
use broadside_lab::draw::{HeatColour, Rgb};
use broadside_rules::{Cell, Grid, ShotLog};

use crate::marks::{Mark, Marks};

/// What a square shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Square {
    /// Nothing.
    Water,
    /// A ship.
    Ship,
    /// Something that is wrong.
    Fault,
    /// A shot to fire.
    Aim,
    /// A shot fired, or a rock.
    Shot(Mark),
}

impl Square {
    fn mark(self) -> char {
        match self {
            Self::Water => '.',
            Self::Ship => 'X',
            Self::Fault => '!',
            Self::Aim => '*',
            Self::Shot(Mark::Miss) => '-',
            Self::Shot(Mark::Hit) => '+',
            Self::Shot(Mark::Sunk) => '#',
            Self::Shot(Mark::Rock) => '^',
            Self::Shot(Mark::Untold) => '?',
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Water | Self::Shot(Mark::Miss) => Style::new().dimmed(),
            Self::Aim => Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())),
            Self::Shot(mark) => mark_look(mark).0,
            Self::Ship => Style::new(),
            Self::Fault => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        }
    }
}

/// Draws the grid, indented, one line a row, with what `square` says of each cell.
pub(crate) fn board(out: &mut dyn Write, grid: Grid, square: impl Fn(Cell) -> Square) -> io::Result<()> {
    let (label, width) = (row_label(grid.rows() - 1).len(), grid.cols().to_string().len());
    write!(out, "  {:label$}", "")?;
    (1..=grid.cols()).try_for_each(|col| write!(out, " {col:>width$}"))?;
    for cell in grid.cells() {
        if cell.col() == 0 {
            write!(out, "\n  {:>label$}", row_label(cell.row()))?;
        }
        let (style, mark) = (square(cell).style(), square(cell).mark());
        write!(out, " {:pad$}{style}{mark}{style:#}", "", pad = width - 1)?;
    }
    writeln!(out)
}

/// Steps of the heat map. More could hardly be told apart in the 256 colours that every terminal knows.
const HEAT_STEPS: usize = 8;

/// Draws the chances of the cells not fired at as percentages on a heat map, and the shots as marks: `·` for a miss, `X`
/// for a hit, `#` for a sunk ship, `^` for a rock.
pub(crate) fn heat_map(out: &mut dyn Write, log: &ShotLog, chance: impl Fn(Cell) -> f64) -> io::Result<()> {
    let (grid, marks) = (log.rules().grid(), Marks::from_log(log));
    let hottest = grid.cells().filter(|&cell| !log.fired().contains(cell)).map(&chance).fold(0.0, f64::max);
    let label = row_label(grid.rows() - 1).len();
    write!(out, "  {:label$}", "")?;
    (1..=grid.cols()).try_for_each(|col| write!(out, " {col:>4}"))?;
    for cell in grid.cells() {
        if cell.col() == 0 {
            write!(out, "\n  {:>label$}", row_label(cell.row()))?;
        }
        let (style, text) = match marks.at(cell) {
            Some(mark) => mark_look(mark),
            None => (heat(chance(cell), hottest), percent(chance(cell))),
        };
        write!(out, " {style}{text:>4}{style:#}")?;
    }
    writeln!(out)
}

/// The numbers of the columns, over squares of this width, after a blank as wide as the rows' letters.
pub(crate) fn coordinates(out: &mut dyn Write, grid: Grid, width: usize) -> io::Result<()> {
    write!(out, "  {:label$} ", "", label = row_label(grid.rows() - 1).len())?;
    let room = width - 1;
    (1..grid.cols()).try_for_each(|col| write!(out, "{col:>room$} "))?;
    write!(out, "{:>room$}", grid.cols())
}

/// The letter of a row.
pub(crate) fn label(out: &mut dyn Write, grid: Grid, row: usize) -> io::Result<()> {
    write!(out, "  {:>label$} ", row_label(row), label = row_label(grid.rows() - 1).len())
}

/// How a cell looks on a board with a heat map: its mark, or `words` on a colour by its share of the hottest.
pub(crate) fn cell_look(mark: Option<Mark>, share: Option<f64>, words: &str) -> (Style, String) {
    match (mark, share) {
        (Some(mark), _) => mark_look(mark),
        (None, Some(share)) => (heat(share, 1.0), words.to_owned()),
        (None, None) => (Style::new().dimmed(), words.to_owned()),
    }
}

/// A share as a percentage in at most four characters.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 99.95 { format!("{percent:.0}") } else { format!("{percent:.1}") }
}

fn mark_look(mark: Mark) -> (Style, String) {
    let on =
        |colour: u8| Style::new().bold().fg_color(Some(Ansi256Color(231).into())).bg_color(Some(Ansi256Color(colour).into()));
    match mark {
        Mark::Miss => (Style::new().dimmed(), "·".to_owned()),
        Mark::Hit => (on(166), "X".to_owned()),
        Mark::Sunk => (on(88), "#".to_owned()),
        Mark::Rock => (Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())), "^".to_owned()),
        Mark::Untold => (Style::new().bold(), "?".to_owned()),
    }
}

fn heat(chance: f64, hottest: f64) -> Style {
    let (foreground, background) = heat_colours(chance, hottest);
    Style::new().fg_color(Some(Ansi256Color(foreground).into())).bg_color(Some(Ansi256Color(background).into()))
}

/// The colours of a chance on the heat map, foreground and background.
pub(crate) fn heat_colours(chance: f64, hottest: f64) -> (u8, u8) {
    let share = if hottest > 0.0 { chance / hottest } else { 0.0 };
    let step = (1..HEAT_STEPS).filter(|&step| share >= step as f64 / HEAT_STEPS as f64).count();
    let HeatColour { background, text } = HeatColour::new(step as f64 / (HEAT_STEPS - 1) as f64);
    (nearest(text), nearest(background))
}

/// The nearest of the 256 colours of a terminal, among those that have six levels each of red, green and blue.
fn nearest(Rgb(red, green, blue): Rgb) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |channel: u8| (0..6).min_by_key(|&level| LEVELS[usize::from(level)].abs_diff(channel)).unwrap_or(0);
    16 + 36 * level(red) + 6 * level(green) + level(blue)
}

/// The letter or letters of a row: its first cell without the column.
pub(crate) fn row_label(row: usize) -> String {
    Cell::new(row, 0).map(|cell| cell.to_string().trim_end_matches('1').to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: usize, cols: usize) -> String {
        let fault = Cell::new(0, 1).unwrap();
        let mut out = Vec::new();
        board(&mut out, Grid::new(rows, cols).unwrap(), |cell| if cell == fault { Square::Fault } else { Square::Water })
            .unwrap();
        anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
    }

    #[test]
    fn a_small_board_has_letters_and_numbers_along_its_edges() {
        assert_eq!(drawn(2, 3), "    1 2 3\n  A . ! .\n  B . . .\n");
    }

    /// The picture's scale goes from rgb(255,255,229) with black text to rgb(8,29,88) with white text.
    #[test]
    fn heat_has_the_colours_of_pictures_as_near_as_a_terminal_has_them() {
        assert_eq!((heat_colours(0.0, 0.0), heat_colours(0.0, 0.5)), ((16, 230), (16, 230)));
        assert_eq!(heat_colours(0.5, 0.5), (231, 17));
        let colours: std::collections::HashSet<u8> = (0..=100).map(|share| heat_colours(f64::from(share), 100.0).1).collect();
        assert_eq!(colours.len(), HEAT_STEPS);
    }

    #[test]
    fn columns_stay_in_line_past_column_nine_and_row_z() {
        let lines: Vec<String> = drawn(27, 10).lines().map(str::to_owned).collect();
        assert_eq!(lines[0], "      1  2  3  4  5  6  7  8  9 10");
        assert_eq!(lines[1], "   A  .  !  .  .  .  .  .  .  .  .");
        assert_eq!(lines[27], "  AA  .  .  .  .  .  .  .  .  .  .");
    }
}
