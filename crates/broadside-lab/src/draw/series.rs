//! Numbers on a chart, and what makes them look different from others.

use std::fmt::Write;

use super::chart::Frame;
use super::svg::push;

/// The palette of Okabe and Ito without its yellow, which is too pale on white.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Dashes; five of them and seven colours go together in 35 ways before any comes again.
const DASHES: [&str; 5] = ["none", "9 4", "3 3", "12 4 3 4", "6 3 1.5 3 1.5 3"];

/// About how many marks a line has. Their shapes tell series apart in grey print.
const MARKS: usize = 12;

/// Numbers that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    kind: Kind,
    points: Vec<(f64, f64)>,
}

/// How numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Line,
    Steps,
    Bars,
    Dots,
}

impl Series {
    /// Points joined by a line, with a few marks.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, Kind::Line, points)
    }

    /// The outline of a histogram, one unit wide around each number, lightly filled: several can lie over each other.
    pub fn steps(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, Kind::Steps, points)
    }

    /// A bar for each number, one unit wide with a gap.
    pub fn bars(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, Kind::Bars, points)
    }

    /// Marks alone.
    pub fn dots(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, Kind::Dots, points)
    }

    fn new(name: impl Into<String>, kind: Kind, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), kind, points: points.into_iter().collect() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Points that the axes must reach to.
    pub(super) fn extent(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let half = if matches!(self.kind, Kind::Steps | Kind::Bars) { 0.5 } else { 0.0 };
        self.points.iter().flat_map(move |&(x, y)| [(x - half, y), (x + half, y)])
    }

    pub(super) fn draw(&self, svg: &mut String, frame: &Frame, look: &Look) {
        match self.kind {
            Kind::Line => {
                let places = self.points.iter().map(|&(x, y)| (frame.across(x), frame.down(y)));
                look.stroke(svg, &path(places), look.dashes);
                self.draw_marks(svg, frame, look);
            }
            Kind::Steps => {
                self.draw_steps(svg, frame, look);
                self.draw_marks(svg, frame, look);
            }
            Kind::Bars => self.draw_bars(svg, frame, look),
            Kind::Dots => {
                self.points.iter().for_each(|&(x, y)| look.mark(svg, frame.across(x), frame.down(y)));
            }
        }
    }

    fn draw_steps(&self, svg: &mut String, frame: &Frame, look: &Look) {
        let (Some(&(first, _)), Some(&(last, _))) = (self.points.first(), self.points.last()) else { return };
        let tops = self.points.iter().flat_map(|&(x, y)| [(x - 0.5, y), (x + 0.5, y)]);
        let tops = tops.map(|(x, y)| (frame.across(x), frame.down(y)));
        let ends = [first - 0.5, last + 0.5].map(|x| (frame.across(x), frame.ground()));
        let outline = path(std::iter::once(ends[0]).chain(tops).chain([ends[1]]));
        push(svg, format_args!("<path d=\"{outline}\" fill=\"{}\" fill-opacity=\"0.13\" stroke=\"none\"/>\n", look.colour));
        // Dashes would break up the corners of the steps; the marks are enough to tell them apart.
        look.stroke(svg, &outline, "none");
    }

    fn draw_bars(&self, svg: &mut String, frame: &Frame, look: &Look) {
        for &(x, y) in &self.points {
            let (left, right) = (frame.across(x - 0.42), frame.across(x + 0.42));
            let (end, ground) = (frame.down(y), frame.ground());
            push(
                svg,
                format_args!(
                    "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>\n",
                    end.min(ground),
                    right - left,
                    (end - ground).abs(),
                    look.colour
                ),
            );
        }
    }

    /// A few marks along the line. Each series starts at another place, so that marks don't hide each other. There are none
    /// where the value is 0.
    fn draw_marks(&self, svg: &mut String, frame: &Frame, look: &Look) {
        let places = self.points.iter().map(|&(x, y)| (frame.across(x), frame.down(y)));
        let risen: Vec<(f64, f64)> = places.filter(|(_, y)| (y - frame.ground()).abs() > 1.0).collect();
        let every = risen.len().div_ceil(MARKS).max(1);
        for &(x, y) in risen.iter().skip(look.number * every / 4 % every).step_by(every) {
            look.mark(svg, x, y);
        }
    }

    /// The sample in the legend, some 36 wide.
    pub(super) fn draw_key(&self, svg: &mut String, look: &Look, x: f64, y: f64) {
        match self.kind {
            Kind::Bars => {
                let top = y - 6.0;
                push(
                    svg,
                    format_args!("<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"34\" height=\"12\" fill=\"{}\"/>\n", look.colour),
                );
            }
            Kind::Dots => look.mark(svg, x + 17.0, y),
            Kind::Line | Kind::Steps => {
                let dashes = if self.kind == Kind::Line { look.dashes } else { "none" };
                look.stroke(svg, &format!("M{x:.1} {y:.1}h34"), dashes);
                look.mark(svg, x + 17.0, y);
            }
        }
    }
}

/// A path through these places.
fn path(places: impl Iterator<Item = (f64, f64)>) -> String {
    places.enumerate().fold(String::new(), |mut path, (i, (x, y))| {
        let letter = if i == 0 { 'M' } else { 'L' };
        write!(path, "{letter}{x:.1} {y:.1}").expect("a string takes all that is written to it");
        path
    })
}

/// What makes a series look different from the others.
pub(super) struct Look {
    number: usize,
    colour: &'static str,
    dashes: &'static str,
}

impl Look {
    /// The look of series number `i`.
    pub(super) fn number(i: usize) -> Self {
        Self { number: i, colour: COLOURS[i % COLOURS.len()], dashes: DASHES[i % DASHES.len()] }
    }

    fn stroke(&self, svg: &mut String, path: &str, dashes: &str) {
        push(
            svg,
            format_args!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke-dasharray=\"{dashes}\"/>\n",
                self.colour
            ),
        );
    }

    /// A mark: a disc, square, triangle, diamond, ring or cross.
    fn mark(&self, svg: &mut String, x: f64, y: f64) {
        let (shape, filled) = match self.number % 6 {
            0 => ("m-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0z", true),
            1 => ("m-3.9 -3.9h7.8v7.8h-7.8z", true),
            2 => ("m0 -5l4.6 8.4h-9.2z", true),
            3 => ("m0 -5.4l5.4 5.4l-5.4 5.4l-5.4 -5.4z", true),
            4 => ("m-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0z", false),
            _ => ("m-4 -4l8 8m0 -8l-8 8", false),
        };
        let (fill, edge) = if filled { (self.colour, "#ffffff") } else { ("#ffffff", self.colour) };
        let width = if filled { 1.0 } else { 2.0 };
        push(
            svg,
            format_args!("<path d=\"M{x:.1} {y:.1}{shape}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{width}\"/>\n"),
        );
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn thirty_five_series_all_look_different() {
        let looks: HashSet<(&str, &str)> = (0..35).map(Look::number).map(|look| (look.colour, look.dashes)).collect();
        assert_eq!(looks.len(), 35);
    }

    #[test]
    fn a_path_starts_with_a_move_and_goes_on_with_lines() {
        assert_eq!(path([(1.0, 2.0), (3.25, 4.0)].into_iter()), "M1.0 2.0L3.2 4.0");
    }
}
