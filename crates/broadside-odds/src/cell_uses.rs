//! How often each cell was covered.

use broadside_rules::{Layout, Rules};

/// How often each cell was covered in some layouts.
#[derive(Clone, Debug, PartialEq)]
pub struct CellUses {
    /// The number of layouts.
    pub layouts: f64,
    /// For each cell in reading order, the number of layouts that cover it.
    pub cells: Vec<f64>,
}

impl CellUses {
    /// How often each cell is covered in these layouts.
    pub fn of_layouts<'a>(rules: &Rules, layouts: impl IntoIterator<Item = &'a Layout>) -> Self {
        let mut uses = Self { layouts: 0.0, cells: vec![0.0; rules.grid().len()] };
        for layout in layouts {
            uses.layouts += 1.0;
            layout.cells().iter().for_each(|cell| uses.cells[rules.grid().index(cell)] += 1.0);
        }
        uses
    }

    /// The layouts in so many parts, or in as many as there are layouts if these are fewer: layout i is in part i modulo their number.
    ///
    /// ```
    /// use broadside_odds::CellUses;
    /// use broadside_rules::{Draft, Rules};
    ///
    /// let rules: Rules = "1x3 2 allowed ship".parse()?;
    /// let layout = |text: &str| text.parse::<Draft>().unwrap().check(&rules).into_layout().expect("a legal layout");
    /// let parts = CellUses::parts(&rules, &["A1-A2", "A2-A3", "A1-A2"].map(layout), 2);
    /// assert_eq!((&parts[0].cells[..], &parts[1].cells[..]), (&[2.0, 2.0, 0.0][..], &[0.0, 1.0, 1.0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parts(rules: &Rules, layouts: &[Layout], parts: usize) -> Vec<Self> {
        let part = |part: usize| layouts.iter().skip(part).step_by(parts);
        (0..parts.min(layouts.len())).map(|i| Self::of_layouts(rules, part(i))).collect()
    }

    /// All parts together.
    pub fn sum(rules: &Rules, parts: &[Self]) -> Self {
        let nothing = Self { layouts: 0.0, cells: vec![0.0; rules.grid().len()] };
        parts.iter().fold(nothing, |sum, part| sum.plus(part))
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let cells = self.cells.iter().zip(&other.cells).map(|(one, other)| one + other).collect();
        Self { layouts: self.layouts + other.layouts, cells }
    }

    /// Reads tables of how often each cell was covered: a line for each row of the board, with a number for each column. Tables of
    /// several groups are separated by blank lines, and what follows a `#` is ignored. The number of layouts of a table follows
    /// from its sum, since each layout covers as many cells as the fleet has.
    ///
    /// ```
    /// use broadside_odds::CellUses;
    /// let rules = "1x3 2 allowed ship".parse()?;
    /// let tables = CellUses::parse_tables(&rules, "# beginners\n3 4 1\n\n# the others\n1 2 1\n")?;
    /// assert_eq!((tables[0].layouts, &tables[0].cells[..]), (4.0, &[3.0, 4.0, 1.0][..]));
    /// assert_eq!(tables.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// At the first line that is no row of a table, or if a table has too few or too many rows, or nothing but zeros.
    pub fn parse_tables(rules: &Rules, text: &str) -> Result<Vec<Self>, ParseUsesError> {
        let (mut tables, mut cells, mut last) = (Vec::new(), Vec::new(), 0);
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
        for (line, text) in (1..).zip(lines) {
            last = line;
            match row(rules, text).ok_or(ParseUsesError::Row { line, cols: rules.grid().cols() })? {
                row if row.is_empty() => tables.extend(table(rules, std::mem::take(&mut cells), line)?),
                row => cells.extend(row),
            }
        }
        tables.extend(table(rules, cells, last + 1)?);
        if tables.is_empty() { Err(ParseUsesError::Empty) } else { Ok(tables) }
    }
}

/// The largest number that a table may have: more than anybody has counted, and far from where sums lose digits.
const MOST: f64 = 1e12;

/// The numbers of a line; `None` if it is neither empty nor a row of the board.
fn row(rules: &Rules, text: &str) -> Option<Vec<f64>> {
    let number = |word: &str| word.parse().ok().filter(|number| (0.0..=MOST).contains(number));
    let numbers: Option<Vec<f64>> = text.split_whitespace().take(rules.grid().cols() + 1).map(number).collect();
    numbers.filter(|row| row.is_empty() || row.len() == rules.grid().cols())
}

/// The table of these cells, which ends before a line; `None` if there are none.
fn table(rules: &Rules, cells: Vec<f64>, line: usize) -> Result<Option<CellUses>, ParseUsesError> {
    if cells.is_empty() {
        return Ok(None);
    }
    let total: f64 = cells.iter().sum();
    if cells.len() != rules.grid().len() {
        return Err(ParseUsesError::Rows { line, rows: rules.grid().rows() });
    }
    if total <= 0.0 {
        return Err(ParseUsesError::Zeros { line });
    }
    Ok(Some(CellUses { layouts: total / rules.fleet().cells() as f64, cells }))
}

/// The text is not tables of cells. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseUsesError {
    /// There is no table.
    #[error("there is no table: write a line for each row of the board, with a number for each column")]
    Empty,
    /// A line is no row.
    #[error("line {line}: write {cols} numbers from 0, one for each column")]
    Row {
        /// The line.
        line: usize,
        /// The columns of the board.
        cols: usize,
    },
    /// A table has too few or too many rows.
    #[error("line {line}: the table before it has not {rows} rows")]
    Rows {
        /// The line after the table.
        line: usize,
        /// The rows of the board.
        rows: usize,
    },
    /// A table has nothing but zeros.
    #[error("line {line}: the table before it has nothing but zeros")]
    Zeros {
        /// The line after the table.
        line: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_table_is_said() {
        let rules: Rules = "2x2 2 allowed ship".parse().unwrap();
        let error = |text: &str| CellUses::parse_tables(&rules, text).unwrap_err();
        assert_eq!(error(" \n# nothing\n"), ParseUsesError::Empty);
        assert_eq!(error("1 2\n3 x"), ParseUsesError::Row { line: 2, cols: 2 });
        assert_eq!(error("1 2\n3 -4"), ParseUsesError::Row { line: 2, cols: 2 });
        assert_eq!(error("1 2 3\n"), ParseUsesError::Row { line: 1, cols: 2 });
        assert_eq!(error("1 2\n\n3 4"), ParseUsesError::Rows { line: 2, rows: 2 });
        assert_eq!(error("1 2\n3 4\n5 6"), ParseUsesError::Rows { line: 4, rows: 2 });
        assert_eq!(error("0 0\n0 0\n"), ParseUsesError::Zeros { line: 3 });
    }
}
