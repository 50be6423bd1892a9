//! Many boards in one stream of text.
//!
//! A board is either a picture, which ends at a blank line, or a list of ships on one line. Nothing that isn't a board
//! is kept for long: lines are read into one buffer of bounded size, so a stream may be endless and a line may be
//! anything.

use std::io::{self, BufRead, Read};

use broadside_rules::{Cell, Draft, ParseDraftError, ParsePictureError};

/// The longest line that is read, in bytes: three times a list of the 128 ships of the largest fleet.
const MAX_LINE: usize = 4096;

/// A board as it stands in a stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// Its number in the stream, from 1.
    pub(crate) number: u64,
    /// The line it starts at, from 1.
    pub(crate) line: u64,
    /// What it describes.
    pub(crate) draft: Draft,
}

/// A stream that isn't boards. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StreamError {
    /// There is nothing in it.
    #[error("there is no board: give pictures with a blank line between them, or a list of ships such as ‘A1-A5 C3-E3’ a line")]
    Empty,
    /// The stream itself fails.
    #[error("reading fails at line {line}")]
    Read {
        /// The line.
        line: u64,
        /// Why.
        source: io::Error,
    },
    /// A line is longer than any board needs.
    #[error("line {line} is longer than {MAX_LINE} bytes: no board needs that")]
    LongLine {
        /// The line.
        line: u64,
    },
    /// A line isn't text.
    #[error("line {line} is not UTF-8 text")]
    NotText {
        /// The line.
        line: u64,
    },
    /// What stands there is neither a picture nor a list of ships.
    #[error("board {number} can't be read at line {line}")]
    Board {
        /// The board's number.
        number: u64,
        /// The line of the fault, as well as it is known.
        line: u64,
        /// What is wrong.
        source: ParseDraftError,
    },
}

/// The boards of a stream, one after the other. Reading stops at the first error.
pub(crate) struct Boards<R> {
    lines: Lines<R>,
    /// A line that was read ahead and belongs to the next board.
    ahead: Option<String>,
    read: u64,
    failed: bool,
}

impl<R: BufRead> Boards<R> {
    /// The boards of this stream.
    pub(crate) fn new(reader: R) -> Self {
        Self { lines: Lines { reader, number: 0 }, ahead: None, read: 0, failed: false }
    }

    fn next_board(&mut self) -> Result<Option<Board>, StreamError> {
        let Some(first) = self.first_line()? else {
            return if self.read == 0 { Err(StreamError::Empty) } else { Ok(None) };
        };
        self.read += 1;
        let start = self.lines.number;
        let text = if is_picture(&first) { self.picture(first)? } else { first };
        let number = self.read;
        match text.parse() {
            Ok(draft) => Ok(Some(Board { number, line: start, draft })),
            Err(source) => Err(StreamError::Board { number, line: start + fault_line(&source) - 1, source }),
        }
    }

    /// The next line that isn't blank.
    fn first_line(&mut self) -> Result<Option<String>, StreamError> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        loop {
            match self.lines.next()? {
                Some(line) if is_blank(&line) => {}
                other => return Ok(other),
            }
        }
    }

    /// The whole picture that starts with this line. One row too many is enough to see that it is none.
    fn picture(&mut self, first: String) -> Result<String, StreamError> {
        let mut text = first;
        for _ in 0..Cell::MAX_SIDE {
            match self.lines.next()? {
                Some(line) if is_blank(&line) => break,
                Some(line) if is_picture(&line) => {
                    text.push('\n');
                    text.push_str(&line);
                }
                ships => {
                    self.ahead = ships;
                    break;
                }
            }
        }
        Ok(text)
    }
}

impl<R: BufRead> Iterator for Boards<R> {
    type Item = Result<Board, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        let board = if self.failed { None } else { self.next_board().transpose() };
        self.failed |= matches!(board, Some(Err(_)));
        board
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Whether the line belongs to a picture rather than being a list of ships. Only the start tells the two apart, since
/// the first column number or a wrong character may stand anywhere after it.
fn is_picture(line: &str) -> bool {
    !matches!(line.parse(), Ok(Draft::Ships(_)) | Err(ParseDraftError::Ship(_) | ParseDraftError::TooManyShips))
}

/// On which line of the board, from 1, the fault lies.
fn fault_line(error: &ParseDraftError) -> u64 {
    use ParsePictureError as E;
    match error {
        ParseDraftError::Picture(E::TooManyColumns { line } | E::Ragged { line, .. } | E::Character { line, .. }) => *line as u64,
        ParseDraftError::Picture(E::TooManyRows) => Cell::MAX_SIDE as u64 + 1,
        _ => 1,
    }
}

/// The lines of a stream, each of bounded length.
struct Lines<R> {
    reader: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line without its end; `None` after the last.
    fn next(&mut self) -> Result<Option<String>, StreamError> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        if read.map_err(|source| StreamError::Read { line: self.number + 1, source })? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let line = self.number;
        if bytes.len() > MAX_LINE {
            return Err(StreamError::LongLine { line });
        }
        let text = String::from_utf8(bytes).map_err(|_| StreamError::NotText { line })?;
        // Some editors put a byte order mark before the first line.
        let text = text.strip_prefix('\u{feff}').filter(|_| line == 1).unwrap_or(&text);
        Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drafts(text: &str) -> Vec<String> {
        Boards::new(text.as_bytes()).map(|board| board.unwrap().draft.to_string()).collect()
    }

    fn fault(text: &[u8]) -> StreamError {
        Boards::new(text).find_map(Result::err).expect("a fault")
    }

    #[test]
    fn pictures_and_lists_of_ships_may_follow_each_other_in_any_way() {
        let expected = ["X.\n..", "A1-A2", "B1", "XX\n.."];
        assert_eq!(drafts("X.\n..\n\nA1-A2\nB1\nXX\n..\n"), expected);
        assert_eq!(drafts("\n\n*0\n00\nA1-A2\n\n\n \nB1\n\n**\n00"), expected);
        assert_eq!(drafts("\u{feff}X.\r\n..\r\n\r\nA1-A2\r\nB1\r\nXX\r\n..\r\n"), expected);
    }

    #[test]
    fn a_board_knows_the_line_it_starts_at() {
        let lines: Vec<u64> = Boards::new(&b"\nX.\n..\n\n\nA1-A2\nXX\n..\nB1\n"[..]).map(|board| board.unwrap().line).collect();
        assert_eq!(lines, [2, 6, 7, 9]);
    }

    #[test]
    fn a_row_of_a_picture_is_not_taken_for_a_ship_in_row_x() {
        assert_eq!(drafts("X0X\n\nX1-X3"), ["X.X", "X1-X3"]);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        assert!(matches!(fault(b""), StreamError::Empty));
        assert!(matches!(fault(b"\n \n"), StreamError::Empty));
        assert!(matches!(fault(b"X.\n..\n\n\nX.\n.?\n"), StreamError::Board { number: 2, line: 6, .. }));
        assert!(matches!(fault(b"X.\n...\n"), StreamError::Board { number: 1, line: 2, .. }));
        assert!(matches!(fault(b"A1\nA1-B2\n"), StreamError::Board { number: 2, line: 2, .. }));
        assert!(matches!(fault(&b".\n".repeat(65)), StreamError::Board { number: 1, line: 65, .. }));
        assert!(matches!(fault(b"A1\n\xff\xfe\n"), StreamError::NotText { line: 2 }));
        assert!(matches!(fault(b"..\n0\0\n"), StreamError::Board { number: 1, line: 2, .. }));
    }

    #[test]
    fn an_endless_line_is_refused_after_a_few_kilobytes() {
        let mut endless = io::BufReader::new(io::repeat(b'0'));
        assert!(matches!(Boards::new(&mut endless).next(), Some(Err(StreamError::LongLine { line: 1 }))));
    }

    #[test]
    fn reading_stops_at_the_first_fault() {
        let read: Vec<bool> = Boards::new(&b"A1\n?\n\nA2\n"[..]).map(|board| board.is_ok()).collect();
        assert_eq!(read, [true, false]);
    }
}
