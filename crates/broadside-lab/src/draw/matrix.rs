//! A matrix of hiders and captains as a heat map.

use super::heat::HeatColour;
use super::svg::{escape, push};
use crate::{HiderMatrix, HiderRow, MatrixCell};

const WIDTH: usize = 112;
const HEIGHT: usize = 46;
const LABELS: usize = 190;
const TOP: usize = 84;

impl HiderMatrix {
    /// The matrix as a picture: the more shots, the darker. A frame marks the best reply of the captains to a hider, and a corner
    /// the hider that costs a captain most.
    pub fn svg(&self) -> String {
        let columns = self.hiders.first().map_or(0, |row| row.captains.len());
        let (width, height) = (LABELS + columns * WIDTH + 12, TOP + self.hiders.len() * HEIGHT + 34);
        let mut svg = String::new();
        push(
            &mut svg,
            format_args!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"Ubuntu, 'DejaVu Sans', sans-serif\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
            ),
        );
        text(&mut svg, 12, 24, "start", 17, "Mean shots: hiders and captains");
        let caption = format!("{}, {} games each, seed {}", self.rules, self.games, self.seed);
        text(&mut svg, 12, 44, "start", 12, &caption);
        for (i, cell) in self.hiders.first().into_iter().flat_map(|row| &row.captains).enumerate() {
            text(&mut svg, LABELS + i * WIDTH + WIDTH / 2, TOP - 10, "middle", 13, &cell.captain);
        }
        for (i, row) in self.hiders.iter().enumerate() {
            self.row(&mut svg, TOP + i * HEIGHT, row);
        }
        let legend = "framed: the best captain against this hider; corner: the hider that costs this captain most";
        text(&mut svg, 12, height - 12, "start", 11, legend);
        svg.push_str("</svg>\n");
        svg
    }

    fn row(&self, svg: &mut String, top: usize, row: &HiderRow) {
        text(svg, LABELS - 10, top + HEIGHT / 2 + 5, "end", 13, &row.hider);
        for (i, cell) in row.captains.iter().enumerate() {
            self.cell(svg, LABELS + i * WIDTH, top, cell);
        }
    }

    fn cell(&self, svg: &mut String, left: usize, top: usize, cell: &MatrixCell) {
        let HeatColour { background, text: colour } = HeatColour::new(self.share(cell.mean));
        let frame = if cell.best_reply { " stroke=\"#d1495b\" stroke-width=\"3\"" } else { "" };
        let (x, y, width, height) = (left + 2, top + 2, WIDTH - 4, HEIGHT - 4);
        push(svg, format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{background}\"{frame}/>"));
        if cell.best_hider {
            let (right, low) = (left + WIDTH - 4, top + 16);
            push(svg, format_args!("<path d=\"M{} {y} H{right} V{low} Z\" fill=\"#d1495b\"/>", right - 12, y = top + 4));
        }
        let (x, y) = (left + WIDTH / 2, top + HEIGHT / 2 + 5);
        let (mean, std_err) = (cell.mean, cell.std_err);
        push(
            svg,
            format_args!(
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"13\" fill=\"{colour}\">{mean:.2} ± {std_err:.2}</text>"
            ),
        );
    }

    /// Where a mean lies between the least and the most of the matrix.
    fn share(&self, mean: f64) -> f64 {
        let means = || self.hiders.iter().flat_map(|row| row.captains.iter().map(|cell| cell.mean));
        let (least, most) = (means().fold(f64::MAX, f64::min), means().fold(f64::MIN, f64::max));
        if most > least { (mean - least) / (most - least) } else { 0.0 }
    }
}

fn text(svg: &mut String, x: usize, y: usize, anchor: &str, size: usize, words: &str) {
    let words = escape(words);
    push(svg, format_args!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_drawn_and_the_best_replies_are_marked() {
        let cell = |captain: &str, mean: f64, best_reply, best_hider| MatrixCell {
            captain: captain.to_owned(),
            mean,
            std_err: 0.25,
            behind: 0.0,
            behind_std_err: 0.0,
            best_reply,
            best_hider,
        };
        let row = |hider: &str, captains| HiderRow { hider: hider.to_owned(), layouts: hider.to_owned(), captains };
        let hiders = vec![
            row("uniform", vec![cell("a<b", 40.0, true, false), cell("c", 50.0, false, true)]),
            row("edges", vec![cell("a<b", 45.0, true, true), cell("c", 48.0, false, false)]),
        ];
        let svg = HiderMatrix { rules: "classic".to_owned(), seed: 1, games: 10, hiders }.svg();
        for words in ["40.00 ± 0.25", "48.00 ± 0.25", "uniform", "edges", "a&lt;b"] {
            assert!(svg.contains(words), "{words}");
        }
        assert_eq!((svg.matches("stroke-width").count(), svg.matches("<path").count()), (2, 2));
    }
}
