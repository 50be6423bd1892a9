//! What the documents say of the project is so: their commands are accepted, their links lead somewhere, and the files and
//! functions that they name are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository. Asked for when the test runs: clones that share a target folder share its binary as well.
fn root() -> PathBuf {
    let package = std::env::var("CARGO_MANIFEST_DIR").expect("cargo runs the tests");
    Path::new(&package).join("../..").canonicalize().expect("the repository")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// All files below a folder, but for what is built or fetched.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, mut found): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let is_ours = |path: &&PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy();
        !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_ref())
    };
    found.extend(folders.iter().filter(is_ours).flat_map(|folder| files(folder)));
    found
}

/// Every document with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let documents = files(&root()).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    documents.map(|path| (path.clone(), fs::read_to_string(path).expect("text"))).collect()
}

/// The lines outside of code blocks, and those of the code blocks in this language.
fn prose_and_code(text: &str, language: &str) -> (Vec<String>, Vec<String>) {
    let (mut prose, mut code, mut block) = (Vec::new(), Vec::new(), None);
    for line in text.lines() {
        match (&block, line.trim_start().strip_prefix("```")) {
            (None, Some(language)) => block = Some(language.to_owned()),
            (Some(_), Some(_)) => block = None,
            (None, None) => prose.push(line.to_owned()),
            (Some(block), None) if block == language => code.push(line.to_owned()),
            (Some(_), None) => {}
        }
    }
    (prose, code)
}

/// What a line has between backticks.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The words of a command, as a shell splits them, without quotes inside of quotes.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate().flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    parts.collect()
}

/// Whether a reader is to put something else in the place of the word: `NAME`, `FINDER+smart`, `…`.
fn is_placeholder(word: &str) -> bool {
    let capitals = word.chars().take_while(char::is_ascii_uppercase).count();
    word.contains('…') || capitals > 1 || capitals == word.len()
}

/// The commands that a document names, each without the pipe or file that it writes to.
fn commands(text: &str) -> BTreeSet<String> {
    // A line that ends with a backslash goes on in the next one.
    let (prose, code) = prose_and_code(text, "sh");
    let code = code.join("\n").replace("\\\n", " ");
    let code = code.lines().map(|line| line.split(" #").next().unwrap_or_default());
    let lines = prose.iter().flat_map(|line| spans(line)).chain(code);
    let single = lines.flat_map(|line| line.split(" | ")).map(|command| command.split(" > ").next().unwrap_or_default().trim());
    single.filter(|command| command.starts_with("broadside ")).map(str::to_owned).collect()
}

fn broadside(args: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_broadside")).current_dir(root()).args(args).output().expect("the program runs")
}

#[test]
fn every_command_in_a_document_is_one_that_the_program_knows() {
    let mut checked = 0;
    for (path, text) in documents() {
        for command in commands(&text) {
            let mut args = words(&command).split_off(1);
            if args.iter().any(|word| is_placeholder(word)) {
                continue;
            }
            // A document may name an option without its value.
            let named = args.pop_if(|last| last.starts_with("--"));
            // Options are read up to the one for help, which is answered before any work starts.
            args.push("--help".to_owned());
            let output = broadside(&args);
            assert!(output.status.success(), "{}: ‘{command}’: {}", path.display(), String::from_utf8_lossy(&output.stderr));
            let help = String::from_utf8_lossy(&output.stdout);
            assert!(named.is_none_or(|option| help.contains(&option)), "{}: ‘{command}’: no such option", path.display());
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} commands were found");
}

/// The name that a heading is linked by.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut checked = 0;
    for (path, text) in documents() {
        let (prose, _) = prose_and_code(&text, "");
        for link in prose.iter().flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            if !place.is_empty() {
                let headings = prose_and_code(&fs::read_to_string(&target).expect("text"), "").0;
                let found = headings.iter().any(|line| line.starts_with('#') && anchor(line) == place);
                assert!(found, "{}: {link}", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} links were found");
}

/// Whether a source text has a function of that name.
fn has_function(source: &str, name: &str) -> bool {
    ['(', '<'].iter().any(|next| source.contains(&format!("fn {name}{next}")))
}

#[test]
fn the_walk_of_one_shot_names_functions_that_are_there() {
    let text = read("ARCHITECTURE.md");
    let walk = text.split("\n## The way of one shot").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the walk");
    let mut checked = 0;
    for line in walk.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let step = cells.get(1).into_iter().flat_map(|cell| spans(cell));
        let others = cells.iter().skip(2).flat_map(|cell| spans(cell)).filter(|span| span.contains(".rs: "));
        let mut file = None;
        for span in step.chain(others) {
            let name = match span.split_once(": ") {
                Some((path, name)) => {
                    file = Some(path);
                    name
                }
                None => span,
            };
            let file = file.expect("a file before its functions");
            let function = name.rsplit("::").next().expect("a name");
            let source = read(&format!("crates/broadside-web/src/{file}"));
            assert!(has_function(&source, function), "{file} has no function ‘{function}’: {line}");
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked} functions were found");
}

#[test]
fn the_files_that_a_contributor_is_sent_to_are_there() {
    let text = read("CONTRIBUTING.md");
    let lists = text.split("## How to add").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the lists");
    let all: Vec<String> = files(&root()).iter().map(|path| path.to_string_lossy().replace('\\', "/")).collect();
    let is_file = |span: &&str| [".rs", ".js", ".md", ".trycmd"].iter().any(|end| span.ends_with(end)) && !span.contains("NAME");
    let mut checked = 0;
    for span in lists.lines().flat_map(spans).filter(is_file) {
        let end = format!("/{}", span.trim_start_matches("../"));
        assert!(all.iter().any(|path| path.ends_with(&end)), "there is no {span}");
        checked += 1;
    }
    assert!(checked > 15, "{checked} files were found");
}

/// Times and means differ from run to run; the captains and the columns don't.
#[test]
fn the_measurements_have_the_rows_and_columns_that_are_printed() {
    let text = read("docs/performance.md");
    let check = |args: &[&str], is_row: &dyn Fn(&str) -> bool| {
        let output = broadside(&args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>());
        let printed = String::from_utf8(output.stdout).expect("text");
        let mut lines = printed.lines().skip_while(|line| !line.is_empty()).skip(1);
        let head = lines.next().expect("the names of the columns");
        assert!(text.lines().any(|line| line == head), "{head}");
        let rows: Vec<&str> = lines.take_while(|line| !line.is_empty()).filter(|line| is_row(line)).collect();
        assert!(rows.len() > 2, "{printed}");
        for row in rows {
            let name = row.split("  ").find(|part| !part.trim().is_empty()).expect("a name").trim();
            let has_it = |line: &str| line.trim_start().trim_start_matches('`').starts_with(name);
            assert!(text.lines().any(has_it), "docs/performance.md has no row for {name}");
        }
    };
    check(&["bench", "games", "--games", "60"], &|_| true);
    check(&["bench", "validate", "--runs", "1", "--repetitions", "1"], &|line| !line.trim_start().starts_with(char::is_numeric));
}
