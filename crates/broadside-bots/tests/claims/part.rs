//! Parts of tournaments, for the ordinary tests and for the fuzzer.

use broadside_bots::tournament::TournamentPart;
use broadside_lab::TextFormat;

/// What must hold for any text as a part of a tournament, or as its contents: it is refused, or comes back as it was.
pub(crate) fn check(text: &str) {
    let format = TextFormat { name: "broadside-tournament-part", versions: &["1"] };
    let contents = serde_json::from_str::<serde_json::Value>(text).map(|json| format.write(&json));
    for text in [Some(text.to_owned()), contents.ok()].into_iter().flatten() {
        if let Ok(part) = TournamentPart::parse(&text) {
            let again = TournamentPart::parse(&part.to_text()).expect("what was written can be read");
            assert_eq!(again.to_text(), part.to_text());
            if part.missing().is_empty() {
                part.results().json();
            }
        }
    }
}
