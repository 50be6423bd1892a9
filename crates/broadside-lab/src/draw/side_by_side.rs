//! Boards side by side.

use super::board::Board;
use super::svg::{escape, push};

const MARGIN: usize = 34;
const LINE: usize = 19;
/// A small board gets this much room all the same, since its title needs it.
const ROOM: usize = 410;
/// Width of a letter of the caption, a little more than the average of the font.
const LETTER: usize = 7;
/// Letters that there is always room for in a caption, so that pictures of one game have one size. A longer one is cut.
const CAPTION: usize = 160;

/// Boards from left to right below a title and a caption, as one SVG. Its size depends on the boards alone.
pub fn side_by_side(boards: &[Board], title: &str, caption: &str) -> String {
    let room = |board: &Board| board.size().0.max(ROOM);
    let width: usize = boards.iter().map(room).sum();
    let letters = (width.max(ROOM) - 2 * MARGIN) / LETTER;
    let lines = CAPTION.div_ceil(letters);
    let top = 46 + lines * LINE;
    let height = top + boards.iter().map(|board| board.size().1).max().unwrap_or(0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"Ubuntu, 'DejaVu Sans', sans-serif\" role=\"img\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"32\" font-size=\"20\" fill=\"#1a1a1a\">{title}</text>\n",
        title = escape(title),
    );
    for (i, line) in wrap(caption, letters).iter().take(lines).enumerate() {
        let (y, line) = (56 + i * LINE, escape(line));
        push(&mut svg, format_args!("<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"14\" fill=\"#333333\">{line}</text>\n"));
    }
    let mut x = 0;
    for board in boards {
        push(&mut svg, format_args!("<g transform=\"translate({x} {top})\">\n{}</g>\n", board.content()));
        x += room(board);
    }
    svg + "</svg>\n"
}

/// The text in lines of at most this many letters, unless a word is longer.
fn wrap(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_where_the_line_is_full() {
        assert_eq!(wrap("one of 97 cells", 8), ["one of", "97 cells"]);
        assert_eq!(wrap("incomprehensible words", 4), ["incomprehensible", "words"]);
        assert!(wrap(" ", 4).is_empty());
    }

    #[test]
    fn the_size_depends_on_the_boards_alone() {
        let boards = [Board::new("3x3".parse().unwrap()), Board::new("3x3".parse().unwrap())];
        let size = |svg: String| svg.split_once("viewBox=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
        assert_eq!(size(side_by_side(&boards, "t", "")), size(side_by_side(&boards, "title", &"many words ".repeat(100))));
    }
}
