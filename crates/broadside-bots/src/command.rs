//! The command that starts a bot.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

/// The program of a bot and its arguments, written as in a shell, but never given to one: `python3 'my bots/hunter.py'`.
///
/// Bots run in an empty folder of their own, so a word that names a file of the current folder becomes its full path.
///
/// ```
/// use broadside_bots::BotCommand;
/// let command: BotCommand = "sh -c 'echo ubiok'".parse()?;
/// assert!(command.program().ends_with("sh"));
/// assert_eq!(command.arguments(), ["-c", "echo ubiok"]);
/// assert!("no-such-program-anywhere".parse::<BotCommand>().is_err());
/// # Ok::<(), broadside_bots::CommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotCommand {
    text: String,
    program: PathBuf,
    arguments: Vec<String>,
}

/// A command that can't start anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// There is no word in it.
    #[error("the command of the bot is empty")]
    Empty,
    /// A quotation mark is missing.
    #[error("a quotation mark is missing in the command ‘{0}’")]
    Quotes(String),
    /// There is no such program.
    #[error("there is no program ‘{0}’: write its path, such as ./mybot, or the interpreter first, such as ‘python3 mybot.py’")]
    Missing(String),
    /// The program can't be executed.
    #[error("‘{0}’ is not executable: use ‘chmod +x {0}’, or write its interpreter first, such as ‘python3 {0}’")]
    NotExecutable(String),
}

impl BotCommand {
    /// Nobody: what a launcher is given that starts no bot.
    pub(crate) fn nobody() -> Self {
        Self { text: String::new(), program: PathBuf::new(), arguments: Vec::new() }
    }

    /// The program's path.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Its arguments.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// A short name for the bot: that of the last file in the command, without what comes after the dot.
    pub fn name(&self) -> String {
        let file = self.arguments.iter().rev().map(Path::new).find(|path| path.is_file()).unwrap_or(&self.program);
        file.file_stem().map_or_else(|| self.text.clone(), |stem| stem.to_string_lossy().into_owned())
    }
}

impl fmt::Display for BotCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for BotCommand {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        let mut words = shlex::split(text).ok_or_else(|| CommandError::Quotes(text.to_owned()))?.into_iter();
        let program = find_program(&words.next().ok_or(CommandError::Empty)?)?;
        Ok(Self { text: text.to_owned(), program, arguments: words.map(full_path).collect() })
    }
}

/// The full path of a word that names a file; other words as they are.
fn full_path(word: String) -> String {
    let is_file = !word.starts_with('-') && Path::new(&word).is_file();
    let path = is_file.then(|| std::path::absolute(&word).ok()).flatten();
    path.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or(word)
}

/// The program that a shell would start: a path, or a name that is looked up.
fn find_program(word: &str) -> Result<PathBuf, CommandError> {
    let missing = || CommandError::Missing(word.to_owned());
    let path = Path::new(word);
    if path.components().count() > 1 {
        let path = std::path::absolute(path).map_err(|_| missing())?;
        if !path.is_file() {
            return Err(missing());
        }
        return if is_executable(&path) { Ok(path) } else { Err(CommandError::NotExecutable(word.to_owned())) };
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).map(|folder| folder.join(word)).find(|path| path.is_file() && is_executable(path));
    found.and_then(|path| std::path::absolute(path).ok()).ok_or_else(missing)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_get_full_paths_and_other_words_stay() {
        let command: BotCommand = "sh Cargo.toml -x missing.txt 'two words'".parse().unwrap();
        assert!(Path::new(&command.arguments()[0]).is_absolute());
        assert_eq!(command.arguments()[1..], ["-x", "missing.txt", "two words"]);
        assert_eq!(command.name(), "Cargo");
        assert_eq!("sh -c 'exit 1'".parse::<BotCommand>().unwrap().name(), "sh");
    }

    #[test]
    fn what_can_not_be_started_is_refused_with_the_reason() {
        let parse = |text: &str| text.parse::<BotCommand>().unwrap_err();
        assert_eq!(parse("  "), CommandError::Empty);
        assert_eq!(parse("sh 'a"), CommandError::Quotes("sh 'a".to_owned()));
        assert_eq!(parse("./no/such"), CommandError::Missing("./no/such".to_owned()));
        assert_eq!(parse("./Cargo.toml"), CommandError::NotExecutable("./Cargo.toml".to_owned()));
    }
}
