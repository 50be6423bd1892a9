//! `broadside reproduce` as a program: the page, the rows as data, and what is refused before the work starts.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn reproduce(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_broadside"))
        .current_dir(folder)
        .arg("reproduce")
        .args(args)
        .output()
        .expect("the program runs")
}

#[track_caller]
fn refused(folder: &Path, args: &[&str], words: &str) {
    let output = reproduce(folder, args);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with("error: ") && message.contains(words), "{message}");
    assert!(!folder.join("report.html").exists());
}

#[test]
fn the_page_is_written_and_the_rows_are_data() {
    let folder = tempfile::tempdir().unwrap();
    let output = reproduce(folder.path(), &["--quick", "--games", "100", "--seed", "5", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["seed"], &report["games"]), (&5.into(), &100.into()));
    let sections = report["chapters"].as_array().unwrap().iter().flat_map(|chapter| chapter["sections"].as_array().unwrap());
    let rows: Vec<&Value> = sections.flat_map(|section| section["rows"].as_array().unwrap()).collect();
    assert!(rows.len() > 80, "{} rows", rows.len());
    let verdicts = ["reproduced", "differs", "not-reproduced", "undecided"];
    assert!(rows.iter().all(|row| verdicts.contains(&row["verdict"].as_str().unwrap())));
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside the page");
}

#[test]
fn what_can_not_be_done_is_said_before_the_work_starts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    refused(path, &["--out", "missing/report.html"], "can't write missing/report.html");
    refused(path, &["--out", "."], "can't write");
    refused(path, &["--games", "0"], "0 is not in 1..");
    refused(path, &["--results", "nowhere.json"], "can't read the results nowhere.json");
    refused(path, &["--results", "."], "there are no results in .");
    fs::write(path.join("results.json"), "{\"captains\":[{\"captain\":\"density\",\"games\":2,\"histogram\":[1]}]}").unwrap();
    refused(path, &["--results", "."], "can't take the results");
}
