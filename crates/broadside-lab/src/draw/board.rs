//! A board as SVG.

use broadside_rules::{Cell, CellSet, Grid, ShotLog};

use super::heat::HeatColour;
use super::mark::{Mark, marks};
use super::svg::{escape, push};

const SIDE: usize = 44;
const MARGIN: usize = 34;
const HEADER: usize = 46;

/// A picture of a board: heat, marks and coordinates.
///
/// ```
/// use broadside_lab::draw::Board;
/// use broadside_rules::{Preset, ShotLog};
/// let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+")?;
/// let svg = Board::from_log(&log).with_title("After two shots").svg();
/// assert!(svg.starts_with("<svg") && svg.contains("After two shots"));
/// # Ok::<(), broadside_rules::ParseLogError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    grid: Grid,
    title: String,
    caption: String,
    heat: Vec<Option<f64>>,
    /// How the heat is written on the cells.
    written: Written,
    marks: Vec<Option<Mark>>,
    best: Vec<Cell>,
    last_shot: Option<Cell>,
}

impl Board {
    /// An empty board.
    pub fn new(grid: Grid) -> Self {
        let (heat, marks) = (vec![None; grid.len()], vec![None; grid.len()]);
        let written = Written::Percent;
        Self { grid, title: String::new(), caption: String::new(), heat, written, marks, best: Vec::new(), last_shot: None }
    }

    /// The board as a shooter knows it. Cells of a ship that certainly sank are marked as sunk.
    pub fn from_log(log: &ShotLog) -> Self {
        Self { marks: marks(log), ..Self::new(log.rules().grid()) }
    }

    /// A line of text above the board.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// A smaller line below the title.
    #[must_use]
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Colours each cell without a mark by a share from 0 to 1, written on it as a percentage.
    #[must_use]
    pub fn with_chances(mut self, share: impl Fn(Cell) -> f64) -> Self {
        for cell in self.grid.cells() {
            self.heat[self.grid.index(cell)] = Some(share(cell));
        }
        self
    }

    /// Colours cells without a mark by a number, written on them; cells without a number stay plain.
    #[must_use]
    pub fn with_numbers(mut self, number: impl Fn(Cell) -> Option<u32>) -> Self {
        self.heat = self.grid.cells().map(|cell| number(cell).map(f64::from)).collect();
        self.written = Written::Number;
        self
    }

    /// Colours cells without a mark by a share from 0 to 1, without numbers; cells without a share stay plain.
    #[must_use]
    pub fn with_shades(mut self, share: impl Fn(Cell) -> Option<f64>) -> Self {
        self.heat = self.grid.cells().map(share).collect();
        self.written = Written::Nothing;
        self
    }

    /// Marks cells as holding a ship.
    #[must_use]
    pub fn with_ships(mut self, cells: &CellSet) -> Self {
        for cell in cells.iter() {
            self.marks[self.grid.index(cell)].get_or_insert(Mark::Ship);
        }
        self
    }

    /// Frames the best cells to fire at.
    #[must_use]
    pub fn with_best(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.best.extend(cells);
        self
    }

    /// Frames the last shot, in another colour than the best cells.
    #[must_use]
    pub fn with_last_shot(mut self, cell: Cell) -> Self {
        self.last_shot = Some(cell);
        self
    }

    /// Width and height of the picture.
    pub(super) fn size(&self) -> (usize, usize) {
        (MARGIN + self.grid.cols() * SIDE + 12, HEADER + MARGIN + self.grid.rows() * SIDE + 12)
    }

    /// The picture as SVG. It needs no style sheet, no script and no network.
    pub fn svg(&self) -> String {
        let ((width, height), title, content) = (self.size(), escape(&self.title), self.content());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"Ubuntu, 'DejaVu Sans', sans-serif\" role=\"img\">\n<title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{content}</svg>\n"
        )
    }

    /// What is drawn, without the frame that makes it a picture of its own.
    pub(super) fn content(&self) -> String {
        let mut svg = format!(
            "<text x=\"{MARGIN}\" y=\"22\" font-size=\"17\" fill=\"#1a1a1a\">{}</text>\n\
             <text x=\"{MARGIN}\" y=\"41\" font-size=\"13\" fill=\"#555555\">{}</text>\n",
            escape(&self.title),
            escape(&self.caption),
        );
        self.draw_coordinates(&mut svg);
        let scale = self
            .heat
            .iter()
            .zip(&self.marks)
            .filter(|(_, mark)| mark.is_none())
            .filter_map(|(heat, _)| *heat)
            .fold(0.0, f64::max);
        self.grid.cells().for_each(|cell| self.draw_cell(&mut svg, cell, scale));
        self.best.iter().for_each(|&cell| self.draw_frame(&mut svg, cell, &BEST_FRAME));
        self.last_shot.iter().for_each(|&cell| self.draw_frame(&mut svg, cell, &LAST_SHOT_FRAME));
        svg
    }

    fn draw_coordinates(&self, svg: &mut String) {
        for col in 0..self.grid.cols() {
            let x = MARGIN + col * SIDE + SIDE / 2;
            text(svg, x, HEADER + MARGIN - 10, 14, "#333333", &(col + 1).to_string());
        }
        for row in 0..self.grid.rows() {
            let name = Cell::new(row, 0).map(|cell| cell.to_string()).unwrap_or_default();
            let y = HEADER + MARGIN + row * SIDE + SIDE / 2 + 5;
            text(svg, MARGIN / 2, y, 14, "#333333", name.trim_end_matches('1'));
        }
    }

    fn corner(cell: Cell) -> (usize, usize) {
        (MARGIN + cell.col() * SIDE, HEADER + MARGIN + cell.row() * SIDE)
    }

    fn draw_cell(&self, svg: &mut String, cell: Cell, scale: f64) {
        let (x, y) = Self::corner(cell);
        let index = self.grid.index(cell);
        let share = self.heat[index].filter(|_| self.marks[index].is_none());
        let relative = if scale > 0.0 { share.unwrap_or(0.0) / scale } else { 0.0 };
        let heat = HeatColour::new(relative);
        let fill = match self.marks[index] {
            None if share.is_some() => heat.background.to_string(),
            None => "#f4f8fb".to_owned(),
            Some(mark) => mark.colour().to_owned(),
        };
        push(
            svg,
            format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" stroke=\"#9aa5ad\" stroke-width=\"1\"/>\n"
            ),
        );
        if let Some(mark) = self.marks[index] {
            draw_mark(svg, x + SIDE / 2, y + SIDE / 2, mark);
        } else if let Some(share) = share.filter(|&share| share > 0.0) {
            let words = self.written.words(share);
            if !words.is_empty() {
                text(svg, x + SIDE / 2, y + SIDE / 2 + 5, 13, &heat.text.to_string(), &words);
            }
        }
    }

    fn draw_frame(&self, svg: &mut String, cell: Cell, lines: &[(&str, usize)]) {
        let ((x, y), side) = (Self::corner(cell), SIDE - 6);
        debug_assert!(self.grid.contains(cell), "a cell of this board");
        for (colour, width) in lines {
            push(
                svg,
                format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>\n",
                    x + 3,
                    y + 3
                ),
            );
        }
    }
}

/// Colours and widths of the lines of a frame, the lower one first. They are those of the web page: gold between dark
/// lines for the best cells, red for the last shot.
const BEST_FRAME: [(&str, usize); 2] = [("#1a1a1a", 6), ("#ffcf33", 3)];
const LAST_SHOT_FRAME: [(&str, usize); 1] = [("#d7191c", 3)];

/// How the heat of a cell is written on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// As a percentage.
    Percent,
    /// As a whole number.
    Number,
    /// Not at all.
    Nothing,
}

impl Written {
    fn words(self, heat: f64) -> String {
        match self {
            Self::Percent => percent(heat),
            Self::Number => format!("{heat:.0}"),
            Self::Nothing => String::new(),
        }
    }
}

/// A share as a percentage in at most four characters.
fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p >= 99.95 => format!("{p:.0}"),
        p if p < 0.05 => "<.1".to_owned(),
        p => format!("{p:.1}"),
    }
}

fn draw_mark(svg: &mut String, x: usize, y: usize, mark: Mark) {
    let (reach, dot) = (SIDE / 5, SIDE / 8);
    match mark {
        Mark::Miss => push(svg, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{dot}\" fill=\"#6b7680\"/>\n")),
        Mark::Ship => {}
        Mark::Untold => text(svg, x, y, SIDE / 2, "#1f2933", "?"),
        Mark::Rock => push(
            svg,
            format_args!(
                "<path d=\"M{l} {b}L{x} {t}L{r} {b}Z\" fill=\"#d8cfc6\"/>\n",
                l = x - 2 * dot,
                r = x + 2 * dot,
                t = y - reach,
                b = y + reach
            ),
        ),
        Mark::Hit | Mark::Sunk => push(
            svg,
            format_args!(
                "<path d=\"M{l} {t}L{r} {b}M{l} {b}L{r} {t}\" stroke=\"#ffffff\" stroke-width=\"4\" stroke-linecap=\"round\"/>\n",
                l = x - reach,
                r = x + reach,
                t = y - reach,
                b = y + reach
            ),
        ),
    }
}

fn text(svg: &mut String, x: usize, y: usize, size: usize, ink: &str, words: &str) {
    push(
        svg,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{ink}\" text-anchor=\"middle\">{}</text>\n",
            escape(words)
        ),
    );
}

#[cfg(test)]
mod tests {
    use broadside_rules::Preset;

    use super::*;

    #[test]
    fn every_cell_and_every_mark_is_drawn() {
        let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+ C4#2").unwrap();
        let svg = Board::from_log(&log).with_title("a < b & c").with_chances(|_| 0.25).with_best(["A1".parse().unwrap()]).svg();
        assert_eq!(svg.matches("<rect").count(), 1 + 100 + BEST_FRAME.len());
        assert_eq!(svg.matches("<circle").count(), 1);
        assert_eq!(svg.matches("<path").count(), 2);
        assert_eq!(svg.matches(">25.0<").count(), 97);
        assert!(svg.contains("a &lt; b &amp; c"));
    }

    #[test]
    fn all_cells_of_a_sunk_ship_are_drawn_as_sunk() {
        let log = ShotLog::parse(&Preset::Classic.rules(), "C3+ C4+ C5#3 H8+").unwrap();
        let svg = Board::from_log(&log).svg();
        assert_eq!(svg.matches("fill=\"#7a2d04\"").count(), 3);
        assert_eq!(svg.matches("fill=\"#e66101\"").count(), 1);
    }

    #[test]
    fn rocks_are_drawn_before_anybody_fires() {
        let svg = Board::from_log(&ShotLog::new(&Preset::Reef.rules())).with_chances(|_| 0.25).svg();
        assert_eq!(svg.matches("fill=\"#5b5048\"").count(), 6);
        assert_eq!(svg.matches(">25.0<").count(), 94);
    }

    /// Red means the last shot, here as on the web page.
    #[test]
    fn the_best_cells_and_the_last_shot_have_frames_of_different_colours() {
        let (board, cell) = (Board::new("2x2".parse().unwrap()), Cell::new(0, 0).unwrap());
        let colours = |board: Board| ["#ffcf33", "#d7191c"].map(|colour| board.svg().matches(colour).count());
        assert_eq!(colours(board.clone().with_best([cell])), [1, 0]);
        assert_eq!(colours(board.with_last_shot(cell)), [0, 1]);
    }

    #[test]
    fn numbers_are_written_as_they_are() {
        let svg = Board::new("2x2".parse().unwrap()).with_numbers(|cell| (cell.row() == 0).then_some(71)).svg();
        assert_eq!(svg.matches(">71<").count(), 2);
    }

    #[test]
    fn a_shaded_board_has_colours_without_numbers() {
        let first = Cell::new(0, 0).unwrap();
        let svg = Board::new("2x2".parse().unwrap()).with_shades(|cell| (cell == first).then_some(1.0)).svg();
        assert_eq!(svg.matches(&format!("fill=\"{}\"", HeatColour::new(1.0).background)).count(), 1);
        assert_eq!(svg.matches(">100<").count(), 0);
    }

    #[test]
    fn percentages_stay_short() {
        assert_eq!([1.0, 0.9999, 0.5, 0.123_45, 0.001, 0.000_1].map(percent), ["100", "100", "50.0", "12.3", "0.1", "<.1"]);
    }
}
