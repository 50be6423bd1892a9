//! Claims about every text that may be taken for a checkpoint or for ranges of games. The property tests and the fuzz target make the same ones.

use broadside_lab::{Campaign, CampaignConfig, Checkpoint, Layouts, Ranges};
use sha2::{Digest, Sha256};

/// Any text is refused with a short message, or it is a checkpoint that writes and reads back as the same one, and that
/// a campaign takes or refuses likewise.
pub(crate) fn checkpoint(text: &str) {
    check(text);
    // And so it is as the inside of a checkpoint whose checksum is right: nothing else would ever get past that.
    for version in ["1", "2"] {
        check(&sealed(version, text));
    }
}

/// A text as the contents of a checkpoint of this version with the right checksum.
pub(crate) fn sealed(version: &str, contents: &str) -> String {
    let body = format!("broadside-checkpoint {version}\n{}\n", contents.replace('\n', " "));
    let sum = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    format!("{body}sha256 {sum}\n")
}

fn check(text: &str) {
    match Checkpoint::parse(text) {
        Ok(checkpoint) => {
            assert_eq!(Checkpoint::parse(&checkpoint.to_text()).as_ref(), Ok(&checkpoint));
            match checkpoint.tally(&campaign()) {
                Ok(tally) => assert_eq!(Checkpoint::new(&campaign(), &tally), checkpoint),
                Err(error) => presentable(&error.to_string()),
            }
        }
        Err(error) => presentable(&error.to_string()),
    }
}

/// Any text is refused with a short message, or names ranges that write and read back as the same.
pub(crate) fn ranges(text: &str) {
    match text.parse::<Ranges>() {
        Ok(ranges) => {
            assert!(!ranges.is_empty());
            assert_eq!(ranges.to_string().parse(), Ok(ranges.clone()));
            assert_eq!(ranges.missing_from(0..ranges.end()).len() + ranges.len(), ranges.end());
        }
        Err(error) => presentable(&error.to_string()),
    }
}

/// The campaign that checkpoints are tried on.
pub(crate) fn campaign() -> Campaign {
    let config = CampaignConfig { rules: "1x2 1 allowed ship".parse().expect("rules"), games: 20, seed: 1 };
    Campaign::new(config, ["random", "density"], Layouts::Uniform).expect("captains")
}

/// A message that can be shown on a terminal.
fn presentable(message: &str) {
    assert!(message.len() < 5000 && !message.chars().any(char::is_control), "{message:?}");
}
