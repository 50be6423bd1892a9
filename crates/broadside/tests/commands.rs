//! The commands as they are typed: every case in `cmd/`, and every example of the README and the guide.

use std::path::Path;

use trycmd::TestCases;

/// The cases of a program built with the feature `gpu`, or of one without it.
const GPU: &str = if cfg!(feature = "gpu") { "with-gpu" } else { "without-gpu" };

/// Cases with paths from the root of the repository, where a reader of the README stands.
fn cases() -> TestCases {
    // Asked for when the test runs: clones that share a target folder share the test's binary as well.
    let package = std::env::var("CARGO_MANIFEST_DIR").expect("cargo runs the tests");
    std::env::set_current_dir(Path::new(&package).join("../..")).expect("the root of the repository");
    let cases = TestCases::new();
    // Help is wrapped to the width of the terminal.
    cases.env("COLUMNS", "100");
    // Mesa's choice of a device among many looks for a screen, and complains on standard error where there is none.
    cases.env("NODEVICE_SELECT", "1");
    cases
}

#[test]
fn commands_answer_as_written_down() {
    cases().case("crates/broadside/tests/cmd/*.trycmd").case(format!("crates/broadside/tests/cmd/{GPU}/*.trycmd"));
}

#[test]
fn the_readme_and_the_guide_show_what_is_printed() {
    cases().case("README.md").case("docs/guide.md");
}
