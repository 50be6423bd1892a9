//! Charts as SVG, fit for a paper.
//!
//! Series can be told apart by colour (the palette of Okabe and Ito, *Color universal design*, 2008, which the colour-blind
//! can read), and in grey print by dashes and by the shape of their marks.

use super::axis::{Axis, Scale};
use super::series::{Look, Series};
use super::svg::{escape, push};

const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 62.0;
/// Room for the title and the caption.
const HEADER: f64 = 62.0;
const LEGEND_LINE: f64 = 22.0;

/// A chart: axes, series of numbers, a legend.
///
/// ```
/// use broadside_lab::draw::{Axis, Chart, Series};
/// let svg = Chart::new("Squares", Axis::new("x").from(0.0), Axis::new("x²").from(0.0))
///     .with_caption("n = 10")
///     .with(Series::line("x²", (0..10).map(f64::from).map(|x| (x, x * x))))
///     .with(Series::dots("measured", [(3.0, 9.1), (5.0, 24.8)]))
///     .svg();
/// assert!(svg.contains("<title>Squares</title>") && svg.contains("measured"));
/// ```
#[derive(Clone, Debug)]
pub struct Chart {
    title: String,
    caption: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
}

impl Chart {
    /// A chart without series.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), caption: String::new(), x, y, series: Vec::new() }
    }

    /// A smaller line below the title, such as the number of games.
    #[must_use]
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Adds a series. The order decides the colours.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// The chart as SVG. It needs no style sheet, no script and no network.
    pub fn svg(&self) -> String {
        let legend = self.legend();
        let frame = Frame::new(self, legend.last().map_or(0.0, |entry| entry.line + 1.0) * LEGEND_LINE);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
             font-family=\"Ubuntu, 'DejaVu Sans', sans-serif\" role=\"img\">\n<title>{title}</title>\n<desc>{desc}</desc>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"28\" font-size=\"19\" fill=\"#1a1a1a\">{title}</text>\n\
             <text x=\"{LEFT}\" y=\"49\" font-size=\"13\" fill=\"#444444\">{caption}</text>\n",
            height = frame.height,
            title = escape(&self.title),
            desc = escape(&self.description()),
            caption = escape(&self.caption),
        );
        self.draw_axes(&mut svg, &frame);
        for (i, series) in self.series.iter().enumerate() {
            series.draw(&mut svg, &frame, &Look::number(i));
        }
        legend.iter().zip(&self.series).enumerate().for_each(|(i, (entry, series))| {
            let (x, y) = (LEFT + entry.x, HEADER + 8.0 + entry.line * LEGEND_LINE);
            series.draw_key(&mut svg, &Look::number(i), x, y);
            push(
                &mut svg,
                format_args!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"14\" fill=\"#1a1a1a\">{}</text>\n",
                    x + 44.0,
                    y + 5.0,
                    escape(series.name())
                ),
            );
        });
        svg + "</svg>\n"
    }

    /// The chart in words, for those who can't see it.
    fn description(&self) -> String {
        let names: Vec<&str> = self.series.iter().map(Series::name).collect();
        format!("{} over {} for {}. {}", self.y.label, self.x.label, names.join(", "), self.caption)
    }

    /// Where the entries of the legend go: side by side, in as many lines as they need.
    fn legend(&self) -> Vec<Entry> {
        let (mut x, mut line) = (0.0, 0.0);
        let mut entries = Vec::new();
        for series in &self.series {
            // A letter is a little over half as wide as it is high.
            let width = 44.0 + 7.3 * series.name().chars().count() as f64 + 22.0;
            if x > 0.0 && x + width > WIDTH - LEFT - RIGHT {
                (x, line) = (0.0, line + 1.0);
            }
            entries.push(Entry { x, line });
            x += width;
        }
        entries
    }

    fn draw_axes(&self, svg: &mut String, frame: &Frame) {
        for (at, name) in self.y.ticks(&frame.y) {
            let (left, right, y) = (LEFT, WIDTH - RIGHT, frame.down(at));
            push(
                svg,
                format_args!(
                    "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#e2e2e2\"/>\n\
                     <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"#333333\" text-anchor=\"end\">{}</text>\n",
                    left - 9.0,
                    y + 4.5,
                    escape(&name)
                ),
            );
        }
        for (at, name) in self.x.ticks(&frame.x) {
            let (x, bottom) = (frame.across(at), frame.bottom());
            push(
                svg,
                format_args!(
                    "<path d=\"M{x:.1} {bottom:.1}v6\" stroke=\"#333333\"/>\n\
                     <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"#333333\" text-anchor=\"middle\">{}</text>\n",
                    bottom + 21.0,
                    escape(&name)
                ),
            );
        }
        self.draw_labels(svg, frame);
    }

    fn draw_labels(&self, svg: &mut String, frame: &Frame) {
        let (top, bottom) = (frame.top, frame.bottom());
        let (middle, centre) = (f64::midpoint(LEFT, WIDTH - RIGHT), f64::midpoint(top, bottom));
        push(
            svg,
            format_args!(
                "<path d=\"M{LEFT} {top:.1}V{bottom:.1}H{:.1}\" fill=\"none\" stroke=\"#333333\"/>\n\
                 <text x=\"{middle:.1}\" y=\"{:.1}\" font-size=\"14\" fill=\"#1a1a1a\" text-anchor=\"middle\">{}</text>\n\
                 <text transform=\"translate(20 {centre:.1}) rotate(-90)\" font-size=\"14\" fill=\"#1a1a1a\" \
                 text-anchor=\"middle\">{}</text>\n",
                WIDTH - RIGHT,
                bottom + 46.0,
                escape(&self.x.label),
                escape(&self.y.label)
            ),
        );
    }
}

/// Where an entry of the legend stands.
struct Entry {
    x: f64,
    line: f64,
}

/// The area that series are drawn on.
pub(super) struct Frame {
    x: Scale,
    y: Scale,
    top: f64,
    height: f64,
}

impl Frame {
    fn new(chart: &Chart, legend: f64) -> Self {
        let points = || chart.series.iter().flat_map(Series::extent);
        let ends = |number: fn((f64, f64)) -> f64| {
            let numbers = points().map(number).filter(|number| number.is_finite());
            numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)))
        };
        let scale = |axis: &Axis, (low, high): (f64, f64)| if low <= high { axis.scale(low, high) } else { axis.scale(0.0, 1.0) };
        let (x, y) = (scale(&chart.x, ends(|(x, _)| x)), scale(&chart.y, ends(|(_, y)| y)));
        Self { x, y, top: HEADER + legend + 10.0, height: HEIGHT + legend }
    }

    fn bottom(&self) -> f64 {
        self.height - BOTTOM
    }

    /// The horizontal place of a number.
    pub(super) fn across(&self, x: f64) -> f64 {
        LEFT + self.x.place(x) * (WIDTH - RIGHT - LEFT)
    }

    /// The vertical place of a number.
    pub(super) fn down(&self, y: f64) -> f64 {
        self.bottom() - self.y.place(y) * (self.bottom() - self.top)
    }

    /// The vertical place of nothing: 0, or the end of the axis next to it.
    pub(super) fn ground(&self) -> f64 {
        self.down(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        Chart::new("a < b", Axis::new("shots").from(0.0).to(10.0), Axis::new("share").percent().from(0.0))
    }

    #[test]
    fn series_keep_to_the_frame_and_have_their_names_in_the_legend() {
        let svg =
            chart().with(Series::line("first", [(0.0, 0.0), (5.0, 0.5), (20.0, 0.1)])).with(Series::dots("second", [])).svg();
        assert!(svg.contains("a &lt; b") && svg.contains(">first<") && svg.contains(">second<") && svg.contains(">50%<"));
        let right_end = format!("{:.1}", WIDTH - RIGHT);
        assert!(svg.contains(&format!("L{right_end} ")), "what is beyond the axis ends at its edge");
    }

    #[test]
    fn a_long_legend_takes_more_lines_and_none_of_the_plot() {
        let many = (0..14).fold(chart(), |chart, i| chart.with(Series::line(format!("captain number {i}"), [(0.0, 1.0)])));
        let lines = many.legend().last().unwrap().line;
        assert!(lines >= 2.0);
        let plot = |chart: &Chart, legend| {
            let frame = Frame::new(chart, legend);
            frame.bottom() - frame.top
        };
        assert!((plot(&many, lines * LEGEND_LINE) - plot(&chart(), 0.0)).abs() < 1e-9);
    }

    #[test]
    fn an_empty_chart_is_only_its_axes() {
        let svg = chart().svg();
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
