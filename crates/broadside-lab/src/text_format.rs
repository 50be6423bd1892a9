//! Files of text that say what they are and notice every damage.
//!
//! Three lines: the name and version of the format, the contents as JSON, and a checksum of both.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{CheckpointError, hex};

/// A kind of file: its name and the versions that can be read, the last of which is written.
///
/// ```
/// use broadside_lab::TextFormat;
/// const NOTES: TextFormat = TextFormat { name: "my-notes", versions: &["1", "2"] };
/// let text = NOTES.write(&["a", "b"]);
/// assert_eq!(NOTES.read(&text), Ok(("2", r#"["a","b"]"#)));
/// assert!(NOTES.read(&text.replace("a", "A")).is_err(), "its checksum is wrong");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextFormat {
    /// The first word of every version.
    pub name: &'static str,
    /// The versions, the newest last: a new one for every change.
    pub versions: &'static [&'static str],
}

impl TextFormat {
    /// The text for these contents.
    ///
    /// # Panics
    /// When the contents have something in them that JSON hasn't, or the format has no version.
    pub fn write(&self, contents: &impl Serialize) -> String {
        let version = self.versions.last().expect("a format has a version");
        let contents = serde_json::to_string(contents).expect("numbers and texts");
        let text = format!("{} {version}\n{contents}\n", self.name);
        let sum = checksum(&text);
        text + &sum + "\n"
    }

    /// The version and the contents of a text.
    ///
    /// # Errors
    /// When the text is something else, of an unknown version, or not as it was written.
    pub fn read<'a>(&self, text: &'a str) -> Result<(&'a str, &'a str), CheckpointError> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let version =
            first.strip_prefix(self.name).and_then(|rest| rest.strip_prefix(' ')).ok_or(CheckpointError::NotACheckpoint)?;
        if !self.versions.contains(&version) {
            return Err(CheckpointError::Format(version.to_owned()));
        }
        let damaged = CheckpointError::Damaged;
        let (contents, sum) = rest.split_once('\n').ok_or(damaged("it ends too early"))?;
        let whole = &text[..first.len() + contents.len() + 2];
        if sum != checksum(whole) + "\n" {
            return Err(damaged("its checksum is wrong"));
        }
        Ok((version, contents))
    }
}

pub(crate) fn checksum(text: &str) -> String {
    format!("sha256 {}", hex(&Sha256::digest(text.as_bytes())))
}
