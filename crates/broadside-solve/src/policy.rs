//! Tables of best play.
//!
//! The text has a first line `broadside policy 1`, a line with the rules, and then one line for each position: the cell to fire
//! at and the answers that are possible.
//!
//! ```text
//! broadside policy 1
//! 1x3 2 allowed ship
//! A2 +
//! A1 - #2
//! A3 #2
//! ```
//!
//! The positions after the first answer come next, then those after the second answer, and so on. No line follows an answer
//! that ends the game.

use std::str::{FromStr, Lines};
use std::{fmt, io};

use broadside_rules::{
    Answer, Cell, Layout, LogError, ParseAnswerError, ParseCellError, ParseRulesError, Referee, Rules, Shot, ShotLog,
};

/// A position: where to fire, and the number of the position after each answer. `None` if the answer ends the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) cell: Cell,
    pub(crate) next: Vec<(Answer, Option<u32>)>,
}

/// A table of play: where to fire after each log that it leads to.
///
/// ```
/// use broadside_odds::Budget;
/// use broadside_rules::{Rules, ShotLog};
/// use broadside_solve::{Policy, Solver};
///
/// let rules: Rules = "1x3 2 allowed ship".parse()?;
/// let policy = Solver::new(&ShotLog::new(&rules), Budget::default())?.policy(&mut |_| {})?;
/// let log = ShotLog::parse(&rules, "A2+")?;
/// assert_eq!(policy.aim(&log), Some("A1".parse()?));
///
/// let mut text = Vec::new();
/// policy.write_to(&mut text)?;
/// let read: Policy = std::str::from_utf8(&text)?.parse()?;
/// assert_eq!(read, policy);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    rules: Rules,
    nodes: Vec<Node>,
}

/// The first line.
const HEADER: &str = "broadside policy 1";

/// Why a text is not a table of play.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePolicyError {
    /// The first line is another one.
    #[error("the first line is not ‘{HEADER}’")]
    Header,
    /// The rules can't be read.
    #[error("line 2 has no rules")]
    Rules(#[from] ParseRulesError),
    /// A line's cell can't be read.
    #[error("line {line} doesn't begin with a cell")]
    Cell {
        /// The line's number, from 1.
        line: usize,
        /// Why.
        source: ParseCellError,
    },
    /// A line's answers can't be read.
    #[error("line {line} has something else than answers after its cell")]
    Answer {
        /// The line's number, from 1.
        line: usize,
        /// Why.
        source: ParseAnswerError,
    },
    /// A shot can't be fired or answered like that where it stands.
    #[error("line {line} doesn't fit the lines that lead to it")]
    Shot {
        /// The line's number, from 1.
        line: usize,
        /// Why.
        source: LogError,
    },
    /// A line has no answers, or one of them twice.
    #[error("line {0} needs answers, each of them once")]
    Answers(usize),
    /// There are too few lines.
    #[error("the text ends after line {0}, before every answer is followed by a shot")]
    Short(usize),
    /// There are too many lines.
    #[error("line {0} follows no answer")]
    Long(usize),
}

impl Policy {
    pub(crate) fn new(rules: Rules, nodes: Vec<Node>) -> Self {
        Self { rules, nodes }
    }

    /// The rules it is for.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has no position.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Where to fire after these shots; `None` if the table doesn't lead to them, or the game is over.
    pub fn aim(&self, log: &ShotLog) -> Option<Cell> {
        let mut node = self.nodes.first()?;
        for shot in log.shots() {
            let then = node.next.iter().find(|next| node.cell == shot.cell && next.0 == shot.answer)?;
            node = self.nodes.get(then.1? as usize)?;
        }
        Some(node.cell)
    }

    /// How many shots it takes on a layout; `None` if the table doesn't lead to the end of that game.
    ///
    /// ```
    /// use broadside_rules::Draft;
    /// use broadside_solve::Policy;
    ///
    /// let policy: Policy = "broadside policy 1\n1x3 2 allowed ship\nA2 +\nA1 - #2\nA3 #2\n".parse()?;
    /// let right = "A2-A3".parse::<Draft>()?.check(policy.rules()).into_layout().expect("a legal layout");
    /// assert_eq!(policy.shots(&right), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shots(&self, layout: &Layout) -> Option<usize> {
        let mut referee = Referee::new(&self.rules, layout.clone());
        let mut node = self.nodes.first();
        while !referee.is_over() {
            let Node { cell, next } = node?;
            let answer = referee.fire(*cell).ok()?;
            let then = next.iter().find(|then| then.0 == answer)?.1;
            node = then.and_then(|then| self.nodes.get(then as usize));
        }
        Some(referee.log().len())
    }

    /// Writes the table as text, line by line. Give it a buffered writer.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_to(&self, mut out: impl io::Write) -> io::Result<()> {
        write!(out, "{self}")
    }
}

impl Policy {
    /// The lines of the positions.
    pub(crate) fn write_nodes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for node in &self.nodes {
            write!(f, "{}", node.cell)?;
            node.next.iter().try_for_each(|(answer, _)| write!(f, " {answer}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\n{}", self.rules)?;
        self.write_nodes(f)
    }
}

impl FromStr for Policy {
    type Err = ParsePolicyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(ParsePolicyError::Header);
        }
        let rules: Rules = lines.next().unwrap_or_default().parse()?;
        let mut reader = Reader { lines, line: 2, nodes: Vec::new(), log: ShotLog::new(&rules) };
        reader.position()?;
        match reader.lines.next() {
            None => Ok(Self { rules, nodes: reader.nodes }),
            Some(_) => Err(ParsePolicyError::Long(reader.line + 1)),
        }
    }
}

/// Reads positions. `log` has the shots that lead to the next one.
struct Reader<'a> {
    lines: Lines<'a>,
    line: usize,
    nodes: Vec<Node>,
    log: ShotLog,
}

impl Reader<'_> {
    /// Reads a position and all that follow it. The depth is at most the number of cells, since no log has a cell twice.
    fn position(&mut self) -> Result<u32, ParsePolicyError> {
        let (cell, answers) = self.shot()?;
        let (number, line) = (self.nodes.len(), self.line);
        self.nodes.push(Node { cell, next: Vec::new() });
        for answer in answers {
            self.log.push(Shot { cell, answer }).map_err(|source| ParsePolicyError::Shot { line, source })?;
            let then = if self.log.is_over() { None } else { Some(self.position()?) };
            self.nodes[number].next.push((answer, then));
            self.log.pop();
        }
        Ok(number as u32)
    }

    /// Reads a line.
    fn shot(&mut self) -> Result<(Cell, Vec<Answer>), ParsePolicyError> {
        let text = self.lines.next().ok_or(ParsePolicyError::Short(self.line))?;
        self.line += 1;
        let line = self.line;
        let mut words = text.split_whitespace();
        let cell = words.next().unwrap_or_default().parse().map_err(|source| ParsePolicyError::Cell { line, source })?;
        let mut answers: Vec<Answer> = Vec::new();
        for word in words {
            let answer = word.parse().map_err(|source| ParsePolicyError::Answer { line, source })?;
            if answers.contains(&answer) {
                return Err(ParsePolicyError::Answers(line));
            }
            answers.push(answer);
        }
        if answers.is_empty() { Err(ParsePolicyError::Answers(line)) } else { Ok((cell, answers)) }
    }
}
