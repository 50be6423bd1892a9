//! The help screen.

use ratatui::Frame;
use ratatui::text::Text;
use ratatui::widgets::{Paragraph, Wrap};

const HELP: &str = "\
Sink your opponent's fleet before yours is sunk. The sides take turns, a shot
each; with --hit-again whoever hits fires again; with --salvo a turn is several.

Placing   arrows or mouse   move the ship     r, right button  turn it
          Enter, click      put it down       u, Backspace     take one back
          a                 all at random     Enter            begin

Battle    arrows or mouse   aim               Enter, click     fire
          h  hint: the cell that most likely holds a ship, exactly computed
          o  odds: the chance of every cell as a heat map
          Tab  the other board, where only one fits     x  give up

Review    left, right       shot by shot      up, down         by ten
          Home, End         first, last       n                new game
          o  odds: the chances before the shot as a heat map

On the boards   ·  a miss     X  a hit     #  a sunk ship     ▲  a rock
                ?  a shot that is answered after the turn, or only counted
                ╺━╸ ◆  ships  [ ]  the cursor     *  best cells, in the review
                a number is a chance in percent

?  closes this page      q, Esc  leave      Ctrl-C  leave at once";

pub(crate) fn draw(frame: &mut Frame) {
    frame.render_widget(Paragraph::new(Text::from(HELP)).wrap(Wrap { trim: false }), frame.area());
}
