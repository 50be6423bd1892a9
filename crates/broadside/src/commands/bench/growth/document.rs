//! The tables and charts of `broadside bench growth`, and the part of a document that they go into.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use broadside_lab::draw::{Axis, Chart, Series};

use super::{Growth, Over, Table};
use crate::exit::Failure;
use crate::files::{self, OutputFile};

const BEGIN: &str = "<!-- growth -->";
const END: &str = "<!-- end of growth -->";

/// The document can't be changed.
#[derive(Debug, thiserror::Error)]
enum DocumentError {
    #[error("can't read {}", .path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{} has no lines {BEGIN} and {END}", .path.display())]
    NoMarks { path: PathBuf },
}

/// A document whose part between two marks is replaced.
pub(super) struct Document {
    path: PathBuf,
    file: OutputFile,
    before: String,
    after: String,
}

impl Document {
    /// Makes sure that the document can be read and written, before the work.
    pub(super) fn claim(path: &Path) -> Result<Self, Failure> {
        let read = |source| Failure::bad_request(DocumentError::Read { path: path.to_owned(), source });
        let text = std::fs::read_to_string(path).map_err(read)?;
        let parts = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
        let Some((before, after)) = parts else {
            return Err(Failure::bad_request(DocumentError::NoMarks { path: path.to_owned() }));
        };
        let file = OutputFile::claim(path).map_err(Failure::no_answer)?;
        Ok(Self { path: path.to_owned(), file, before: before.to_owned(), after: after.to_owned() })
    }

    /// Writes the charts and the document.
    pub(super) fn write(self, table: &Table) -> Result<(), Failure> {
        let mut pictures = String::new();
        for over in Over::ALL {
            for (touch, rows) in table.by_touch(over) {
                let name = format!("growth-{}-{touch}.svg", over.word());
                let chart = chart(over, touch, &rows).svg();
                files::write(&self.path.with_file_name(&name), chart.as_bytes()).map_err(Failure::no_answer)?;
                writeln!(pictures, "![time over {}, touch {touch}]({name})", over.word()).expect("a string takes all");
            }
        }
        let text = format!("{}{BEGIN}\n```text\n{}```\n\n{pictures}{END}{}", self.before, tables(table), self.after);
        self.file.write(text.as_bytes()).map_err(Failure::no_answer)
    }
}

fn chart(over: Over, touch: &str, rows: &[&Growth]) -> Chart {
    let label = match over {
        Over::Side => "side of the board",
        Over::Ships => "number of ships",
    };
    let ticks = over.values(false).into_iter().map(|at| (at as f64, at.to_string()));
    let values = over.values(false);
    let (first, last) = (values[0] as f64, values[values.len() - 1] as f64);
    let x = Axis::new(label).logarithmic().from(first).to(last).named(ticks);
    let chart = Chart::new(format!("Time over the {label}, touch {touch}"), x, Axis::new("microseconds").logarithmic());
    rows.iter().fold(chart.with_caption("medians; both axes logarithmic, so a power is a straight line"), |chart, row| {
        let name = format!("{} ({})", row.task.description(), exponent(row.exponent));
        chart.with(Series::line(name, row.points.iter().map(|point| (point.at as f64, point.us))))
    })
}

fn exponent(exponent: Option<f64>) -> String {
    exponent.map_or_else(|| "-".to_owned(), |exponent| format!("{exponent:.1}"))
}

/// All tables as text.
pub(super) fn tables(table: &Table) -> String {
    let mut text = String::new();
    for over in Over::ALL {
        for (touch, rows) in table.by_touch(over) {
            let title = match over {
                Over::Side => "squares with 5,4,3,3,2",
                Over::Ships => "12x12 with so many ships of 2",
            };
            writeln!(text, "{title}, touch {touch}: µs (memory in MB); the exponents of time and memory")
                .expect("a string takes all");
            header(&mut text, over, &rows);
            for row in &rows {
                line(&mut text, row, &ats(&rows));
            }
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// The places of all points.
fn ats(rows: &[&Growth]) -> Vec<usize> {
    let mut ats: Vec<usize> = rows.iter().flat_map(|row| row.points.iter().map(|point| point.at)).collect();
    ats.sort_unstable();
    ats.dedup();
    ats
}

fn header(text: &mut String, over: Over, rows: &[&Growth]) {
    write!(text, "{:<24}", over.word()).expect("a string takes all");
    for at in ats(rows) {
        write!(text, " {at:>16}").expect("a string takes all");
    }
    writeln!(text, " {:>6} {:>6}", "time", "memory").expect("a string takes all");
}

fn line(text: &mut String, row: &Growth, ats: &[usize]) {
    write!(text, "{:<24}", row.task.description()).expect("a string takes all");
    for at in ats {
        let point = row.points.iter().find(|point| point.at == *at);
        let cell = point.map_or_else(
            || "-".to_owned(),
            |point| {
                let memory = point.peak_kb.map_or_else(String::new, |kb| format!(" ({:.1})", kb as f64 / 1024.0));
                let digits = if point.us < 10.0 { 2 } else { 0 };
                format!("{:.digits$}{memory}", point.us)
            },
        );
        write!(text, " {cell:>16}").expect("a string takes all");
    }
    writeln!(text, " {:>6} {:>6}", exponent(row.exponent), exponent(row.memory_exponent)).expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use super::super::{Point, Task};
    use super::*;

    fn table() -> Table {
        let points = vec![Point { at: 6, us: 1.5, peak_kb: Some(2048) }, Point { at: 8, us: 250.0, peak_kb: None }];
        let (exponent, memory_exponent) = (Some(2.04), None);
        Table {
            rows: vec![Growth {
                over: Over::Side,
                task: Task::Odds,
                touch: "never".to_owned(),
                points,
                exponent,
                memory_exponent,
            }],
        }
    }

    #[test]
    fn a_table_has_times_memory_and_exponents() {
        let text = tables(&table());
        let line = text.lines().last().expect("a row");
        let columns: Vec<&str> = line.trim_start_matches("exact odds, empty board").split_whitespace().collect();
        assert_eq!(columns, ["1.50", "(2.0)", "250", "2.0", "-"]);
    }

    #[test]
    fn only_the_part_between_the_marks_is_replaced() {
        let folder = std::env::temp_dir().join(format!("broadside-growth-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let path = folder.join("page.md");
        std::fs::write(&path, format!("before\n{BEGIN}\nold\n{END}\nafter\n")).expect("a file for the test");
        Document::claim(&path).and_then(|document| document.write(&table())).expect("it can be written");
        let text = std::fs::read_to_string(&path).expect("it was written");
        assert!(text.starts_with("before\n") && text.ends_with("\nafter\n") && !text.contains("old"), "{text}");
        assert!(text.contains("(growth-side-never.svg)"), "{text}");
        let chart = std::fs::read_to_string(folder.join("growth-side-never.svg")).expect("a chart");
        assert!(chart.contains("exact odds, empty board (2.0)"), "{chart}");
        std::fs::remove_dir_all(&folder).expect("the test's own folder");
    }
}
