//! Puzzles as text: drawn as a picture, and the formats that other programs use.

use broadside_rules::{Cell, Fleet, Length};

use crate::puzzle::{count, short};
use crate::{Line, Mark, Puzzle, PuzzleError};

/// The fleet of nearly all printed puzzles on ten by ten cells.
const USUAL_FLEET: &str = "4,3,3,2,2,2,1,1,1,1";

/// The text is not a puzzle. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is nothing in it.
    #[error("there is no puzzle")]
    Empty,
    /// A line can't be read.
    #[error("line {line}: {problem}")]
    Line {
        /// The line.
        line: usize,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// The fleet isn't told, and the board is not of the size that has a usual one.
    #[error("the fleet isn't told: write a first line such as ‘fleet 3,2,2,1,1,1’, or give --fleet")]
    NoFleet,
    /// Something is missing.
    #[error("the puzzle has no {0}")]
    Missing(&'static str),
    /// What was read is not a puzzle.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineProblem {
    /// A character is no mark.
    #[error("{0:?} is none of the marks . ~ o m ^ v < > x")]
    Mark(char),
    /// A number was expected.
    #[error("‘{0}’ is not a count")]
    Count(String),
    /// The line has more or fewer cells than the others.
    #[error("it has {found} cells, the puzzle has {expected} columns")]
    Width {
        /// Its cells.
        found: usize,
        /// The columns.
        expected: usize,
    },
    /// The line is none that the format has.
    #[error("‘{0}’ is not understood here")]
    Unknown(String),
}

/// The parts of a puzzle as they are read.
#[derive(Default)]
struct Parts {
    fleet: Option<Fleet>,
    rows: Vec<Option<u8>>,
    columns: Vec<Option<u8>>,
    revealed: Vec<(Cell, Mark)>,
}

impl Parts {
    fn puzzle(self, given: Option<Fleet>) -> Result<Puzzle, ReadError> {
        let usual = || (self.rows.len() == 10 && self.columns.len() == 10).then(|| USUAL_FLEET.parse().expect("a fleet"));
        let fleet = given.or(self.fleet).or_else(usual).ok_or(ReadError::NoFleet)?;
        Ok(Puzzle::new(fleet, self.rows, self.columns, self.revealed)?)
    }

    fn reveal(&mut self, row: usize, column: usize, mark: Mark) -> Result<(), PuzzleError> {
        let (rows, columns) = (row.saturating_add(1), column.saturating_add(1));
        let cell = Cell::new(row, column).ok_or(PuzzleError::Size { rows, columns })?;
        self.revealed.push((cell, mark));
        Ok(())
    }
}

/// A line that isn't blank, with its number.
type Numbered<'a> = (usize, &'a str);

fn fault(line: usize, problem: LineProblem) -> ReadError {
    ReadError::Line { line, problem }
}

impl Puzzle {
    /// Reads a puzzle in any of the usual formats. `fleet` is for those that don't tell it, and overrules those that do.
    ///
    /// - one line, as it is printed;
    /// - a picture: a line for each row with its marks (`.` where nothing is revealed) and its count, then the counts of the columns,
    ///   and perhaps a first line `fleet 4,3,…`; or with the row's count before a frame of `|`, as in problem 14 of `CSPLib`;
    /// - the digits of the rows, those of the columns, and how many ships there are of length 1, 2, 3…, a line each, and a grid in
    ///   which `0` is open and `.` is water;
    /// - lines `ROW 2 3 …`, `COLUMN 6 0 …` and `HINT 0 5 T`, with rows and columns counted from 0.
    ///
    /// ```
    /// use broadside_puzzle::Puzzle;
    /// let text = "fleet 2,1\n. . .  2\n. . .  0\n. . o  1\n1 1 1\n";
    /// assert_eq!(Puzzle::read(text, None)?.to_string(), "2,1 2,0,1 1,1,1 C3o");
    /// assert_eq!(Puzzle::read("201\n111\n11\n000\n000\n00S", None)?.to_string(), "2,1 2,0,1 1,1,1 C3o");
    /// # Ok::<(), broadside_puzzle::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is none of them, with the line where that shows.
    pub fn read(text: &str, fleet: Option<Fleet>) -> Result<Self, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines: Vec<Numbered> = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_end())).collect();
        let lines: Vec<Numbered> =
            lines.into_iter().filter(|(_, line)| !line.is_empty()).take(Self::MAX_SIDE * Self::MAX_SIDE + 8).collect();
        let parts = match &lines[..] {
            [] => return Err(ReadError::Empty),
            [(_, line)] => return one_line(line, fleet),
            [(_, first), ..] if first.trim_start().starts_with("ROW") => hints(&lines)?,
            [(_, rows), (_, columns), (_, ships), ..] if [rows, columns, ships].into_iter().all(|line| is_digits(line)) => {
                digits(&lines)?
            }
            _ => picture(&lines)?,
        };
        parts.puzzle(fleet)
    }

    /// The puzzle drawn as text, in a form that [`Puzzle::read`] understands.
    pub fn picture(&self) -> String {
        let (rows, columns) = (self.grid().rows(), self.grid().cols());
        let count = |line: Line| self.count(line).map_or_else(|| "?".to_owned(), |count| count.to_string());
        let counts: Vec<String> = (0..columns).map(|column| count(Line::Column(column))).collect();
        let width = counts.iter().map(String::len).max().unwrap_or(1);
        let mark = |cell: Option<Cell>| cell.and_then(|cell| self.mark(cell)).map_or('.', Mark::symbol).to_string();
        let line = |words: Vec<String>| words.iter().map(|word| format!("{word:>width$}")).collect::<Vec<_>>().join(" ");
        let row = |row: usize| {
            let marks = (0..columns).map(|column| mark(Cell::new(row, column))).collect();
            format!("{}  {}", line(marks), count(Line::Row(row)))
        };
        let mut lines = vec![format!("fleet {}", self.fleet())];
        lines.extend((0..rows).map(row));
        lines.push(line(counts));
        lines.join("\n")
    }
}

fn one_line(line: &str, fleet: Option<Fleet>) -> Result<Puzzle, ReadError> {
    let puzzle: Puzzle = line.parse()?;
    Ok(match fleet {
        Some(fleet) => puzzle.with_fleet(fleet),
        None => puzzle,
    })
}

fn is_digits(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

/// The digits of a line, each a count.
fn digit_counts(line: &str) -> Vec<Option<u8>> {
    line.bytes().map(|digit| Some(digit - b'0')).collect()
}

/// Digits for rows, columns and ships, then a grid.
fn digits(lines: &[Numbered]) -> Result<Parts, ReadError> {
    let [(_, rows), (_, columns), (_, ships), grid @ ..] = lines else { return Err(ReadError::Missing("grid")) };
    let mut parts = Parts { rows: digit_counts(rows), columns: digit_counts(columns), ..Parts::default() };
    let lengths = ships.bytes().enumerate().flat_map(|(i, number)| vec![Length::new(i + 1); usize::from(number - b'0')]);
    parts.fleet = Some(Fleet::new(lengths.flatten()).map_err(PuzzleError::from)?);
    for (row, &(number, line)) in grid.iter().enumerate() {
        // A dot is water here, not an open cell as in pictures.
        let symbols = line.trim().chars().map(|symbol| if symbol == '.' { Mark::Water.symbol() } else { symbol });
        read_row(&mut parts, (number, line), row, symbols, &['0'])?;
    }
    if grid.len() == parts.rows.len() { Ok(parts) } else { Err(ReadError::Missing("grid with a line for each row")) }
}

/// Reads the marks of a row and notes those that are revealed. The first row says how many columns there are, unless the
/// counts have said so before.
fn read_row(
    parts: &mut Parts,
    (number, _): Numbered,
    row: usize,
    symbols: impl Iterator<Item = char>,
    open: &[char],
) -> Result<(), ReadError> {
    let mut width = 0;
    for (column, symbol) in symbols.enumerate() {
        width += 1;
        if !open.contains(&symbol) {
            let mark = Mark::from_symbol(symbol).ok_or_else(|| fault(number, LineProblem::Mark(symbol)))?;
            parts.reveal(row, column, mark)?;
        }
    }
    if parts.columns.is_empty() {
        parts.columns = vec![None; width];
    }
    let expected = parts.columns.len();
    if width == expected { Ok(()) } else { Err(fault(number, LineProblem::Width { found: width, expected })) }
}

/// Lines that start with ROW, COLUMN and HINT, and one with the number of hints.
fn hints(lines: &[Numbered]) -> Result<Parts, ReadError> {
    let mut parts = Parts::default();
    for &(number, line) in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let unknown = || fault(number, LineProblem::Unknown(short(line)));
        match words[..] {
            ["ROW", ref counts @ ..] => parts.rows = counts_of(number, counts)?,
            ["COLUMN", ref counts @ ..] => parts.columns = counts_of(number, counts)?,
            ["HINT", row, column, mark] => {
                let mut symbols = mark.chars();
                let mark = symbols.next().filter(|_| symbols.next().is_none()).and_then(Mark::from_symbol);
                let place = |word: &str| word.parse::<u8>().map(usize::from).map_err(|_| unknown());
                parts.reveal(place(row)?, place(column)?, mark.ok_or_else(unknown)?)?;
            }
            [number] if is_digits(number) => {}
            _ => return Err(unknown()),
        }
    }
    if parts.columns.is_empty() { Err(ReadError::Missing("line COLUMN")) } else { Ok(parts) }
}

fn counts_of(number: usize, words: &[&str]) -> Result<Vec<Option<u8>>, ReadError> {
    words.iter().map(|word| count(word).map_err(|_| fault(number, LineProblem::Count(short(word))))).collect()
}

/// A picture with counts along its edges.
fn picture(lines: &[Numbered]) -> Result<Parts, ReadError> {
    let mut parts = Parts::default();
    let is_frame = |line: &str| line.trim().bytes().all(|byte| b"-+".contains(&byte)) && line.contains("--");
    let mut lines: Vec<Numbered> = lines.iter().copied().filter(|(_, line)| !is_frame(line)).collect();
    if let Some(fleet) = lines.first().and_then(|(_, line)| line.trim().strip_prefix("fleet ")) {
        parts.fleet = Some(fleet.trim().parse().map_err(PuzzleError::from)?);
        lines.remove(0);
    }
    let (number, last) = lines.pop().ok_or(ReadError::Missing("counts of the columns"))?;
    for (row, line) in lines.into_iter().enumerate() {
        let count = if line.1.contains('|') { framed_row(&mut parts, row, line)? } else { plain_row(&mut parts, row, line)? };
        parts.rows.push(count);
    }
    let (columns, expected) = (column_counts(number, last, parts.columns.len())?, parts.columns.len());
    if columns.len() != expected {
        return Err(fault(number, LineProblem::Width { found: columns.len(), expected }));
    }
    Ok(Parts { columns, ..parts })
}

/// The counts below a picture of this width: with blanks between them, or a digit each.
fn column_counts(number: usize, line: &str, width: usize) -> Result<Vec<Option<u8>>, ReadError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [digits] if width > 1 && is_digits(digits) => Ok(digit_counts(digits)),
        _ => counts_of(number, &words),
    }
}

/// The characters of a picture that reveal nothing.
const OPEN: [char; 5] = ['.', '?', '-', '_', ' '];

/// A row of a picture: its marks, then its count.
fn plain_row(parts: &mut Parts, row: usize, line: Numbered) -> Result<Option<u8>, ReadError> {
    let (marks, last) = line.1.trim().rsplit_once(char::is_whitespace).unwrap_or(("", line.1));
    let count = count(last).map_err(|_| fault(line.0, LineProblem::Count(short(last))))?;
    read_row(parts, line, row, marks.chars().filter(|symbol| !symbol.is_whitespace()), &OPEN)?;
    Ok(count)
}

/// A row in a frame: its count, then its marks with a blank between them.
fn framed_row(parts: &mut Parts, row: usize, line: Numbered) -> Result<Option<u8>, ReadError> {
    let (first, rest) = line.1.split_once('|').unwrap_or((line.1, ""));
    let count = count(first.trim()).map_err(|_| fault(line.0, LineProblem::Count(short(first))))?;
    let marks = rest.split('|').next().unwrap_or_default();
    read_row(parts, line, row, marks.chars().step_by(2), &OPEN)?;
    Ok(count)
}

/// The puzzles of a longer text, each with the number of its first line: with blank lines between them, or a line each where
/// they are written on one line.
pub fn split(text: &str) -> Vec<(usize, String)> {
    let mut puzzles: Vec<(usize, String)> = Vec::new();
    let mut goes_on = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            goes_on = false;
            continue;
        }
        match puzzles.last_mut().filter(|_| goes_on) {
            Some((_, puzzle)) => puzzle.extend(["\n", line]),
            None => puzzles.push((index + 1, line.to_owned())),
        }
        goes_on = !is_whole(line);
    }
    puzzles
}

/// Whether the line is a puzzle by itself. Only lists of several counts have commas, so no line of a picture is.
fn is_whole(line: &str) -> bool {
    line.contains(',') && line.parse::<Puzzle>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Puzzle::read(text, None).unwrap_err().to_string()
    }

    #[test]
    fn a_picture_reads_back_as_the_same_puzzle() {
        for text in ["1 1 1", "2,1 2,0,1 1,1,1 C3o", "3,2 ?,1,4 2,?,0,0,1 A1^ C5~", "4 4 1,1,1,1 A1< A2m A3x A4>"] {
            let puzzle: Puzzle = text.parse().unwrap();
            assert_eq!(Puzzle::read(&puzzle.picture(), None).as_ref(), Ok(&puzzle), "{}", puzzle.picture());
        }
        let tall: Puzzle = format!("12 {} 12", ["1"; 12].join(",")).parse().unwrap();
        assert_eq!(Puzzle::read(&tall.picture(), None), Ok(tall));
    }

    #[test]
    fn a_fleet_that_is_given_counts_more_than_one_that_is_told() {
        let fleet: Option<Fleet> = Some("1,1".parse().unwrap());
        assert_eq!(Puzzle::read("2 1,1 1,1", fleet.clone()).unwrap().to_string(), "1,1 1,1 1,1");
        assert_eq!(Puzzle::read(".. 1\n.. 1\n1 1", fleet).unwrap().to_string(), "1,1 1,1 1,1");
    }

    #[test]
    fn what_is_no_puzzle_is_refused_with_its_line() {
        assert_eq!(fault(" \n\n"), "there is no puzzle");
        assert_eq!(fault(".. 1\n.! 1\n1 1"), "line 2: '!' is none of the marks . ~ o m ^ v < > x");
        assert_eq!(fault(".. 1\n\n... 1\n1 1"), "line 3: it has 3 cells, the puzzle has 2 columns");
        assert_eq!(fault(".. 1\n.. 1\n1 1 1"), "line 3: it has 3 cells, the puzzle has 2 columns");
        assert_eq!(fault(".. 1\n.. x\n1 1"), "line 2: ‘x’ is not a count");
        assert!(fault(".. 1\n.. 1\n1 1").contains("the fleet isn't told"));
        assert!(fault("ROW 1 1\nCOLUMN 1 1\nHINT 0 0 Q").contains("line 3: ‘HINT 0 0 Q’ is not understood"));
        assert!(fault("11\n11\n1\n00").contains("a line for each row"));
    }

    #[test]
    fn puzzles_are_split_at_blank_lines() {
        let split = split("a\nb\n\n \nc\n2,1 2,0,1 1,1,1\n2,1 2,0,1 1,1,1 C3o\n");
        assert_eq!(split[0], (1, "a\nb".to_owned()));
        assert_eq!(split[1], (5, "c\n2,1 2,0,1 1,1,1".to_owned()));
        assert_eq!(split[2], (7, "2,1 2,0,1 1,1,1 C3o".to_owned()));
    }
}
