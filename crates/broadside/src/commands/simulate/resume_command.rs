//! The command that goes on with a campaign that was stopped, as the program prints it.

/// The command that goes on where this one stopped.
pub(super) fn words(resumed: bool) -> String {
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
