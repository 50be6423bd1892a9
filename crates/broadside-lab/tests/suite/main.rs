//! Claims about checkpoints, on random texts.

mod claims;

use broadside_lab::Checkpoint;
use proptest::prelude::*;

/// The contents of a real checkpoint.
fn contents() -> String {
    let campaign = claims::campaign();
    let mut tally = campaign.start();
    campaign.play(&mut tally, |_| true).expect("a board to deal from");
    let text = Checkpoint::new(&campaign, &tally).to_text();
    text.lines().nth(1).expect("three lines").to_owned()
}

#[test]
fn a_sealed_text_is_read_as_a_checkpoint() {
    assert!(Checkpoint::parse(&claims::sealed("2", &contents())).is_ok());
}

proptest! {
    #[test]
    fn claims_hold_for_any_text(text in "\\PC{0,200}") {
        claims::checkpoint(&text);
        claims::ranges(&text);
    }

    #[test]
    fn claims_hold_for_texts_like_ranges(text in "[0-9., -]{0,30}") {
        claims::ranges(&text);
    }

    #[test]
    fn claims_hold_for_checkpoints_with_a_piece_replaced(at in 0..1000usize, length in 0..8usize, piece in "[0-9,\\[\\]{}\":a-z.-]{0,4}") {
        let contents = contents();
        let start = at % contents.len();
        let end = (start + length).min(contents.len());
        claims::checkpoint(&format!("{}{piece}{}", &contents[..start], &contents[end..]));
    }
}
