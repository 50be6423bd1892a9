//! The commands as they are typed: every case in `cmd/`, and every example of the README.

#[test]
fn commands_answer_as_written_down() {
    // The README speaks to someone who stands in the root of the repository.
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the root of the repository");
    trycmd::TestCases::new()
        .case("crates/broadside/tests/cmd/*.trycmd")
        .case("README.md")
        // Help is wrapped to the width of the terminal.
        .env("COLUMNS", "100");
}
