//! Ctrl-C: the first asks for a clean stop, the second ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit;

static CAME: AtomicBool = AtomicBool::new(false);

/// Ctrl-C can't be listened for.
#[derive(Debug, thiserror::Error)]
#[error("can't listen for Ctrl-C")]
pub(super) struct ListenError(#[from] ctrlc::Error);

/// Listens from now on for Ctrl-C, and for the request to end that systems send when they shut down.
pub(super) fn listen() -> Result<(), ListenError> {
    ctrlc::set_handler(|| {
        if CAME.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit::INTERRUPTED));
        }
    })?;
    Ok(())
}

/// Whether a stop was asked for.
pub(super) fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// The command that goes on where this one stopped.
pub(super) fn command_to_resume(resumed: bool) -> String {
    let mut words: Vec<String> = std::env::args_os().map(|word| quoted(&word.to_string_lossy())).collect();
    if !resumed {
        words.push("--resume".to_owned());
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,+=:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_or_change_them() {
        assert_eq!(["a/b-c+d", "", "two words", "it's"].map(quoted), ["a/b-c+d", "''", "'two words'", r"'it'\''s'"]);
    }
}
