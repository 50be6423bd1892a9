//! A Battleship bot that speaks UBI (docs/ubi.md): fires next to hits, otherwise on every second cell.
//! Build it with: rustc -O --edition 2024 -o hunter-rs hunter.rs
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

fn name(cell: usize) -> String {
    format!("{}{}", char::from(64 + (cell / 100) as u8), cell % 100) // 100 * row + column, up to row Z
}

fn place(mut free: Vec<usize>, fleet: &[usize], random: impl Fn(usize) -> u64) -> Option<String> {
    let mut layout = String::from("layout");
    for length in fleet {
        let ship = |from: usize, step| (0..*length).map(move |i| from + i * step);
        let spots = free.iter().flat_map(|&cell| [(cell, 1), (cell, 100)]);
        let fits = spots.filter(|&(from, step)| ship(from, step).all(|cell| free.contains(&cell)));
        let (from, step) = fits.max_by_key(|(from, step)| random(from * step))?;
        layout += &format!(" {}-{}", name(from), name(from + (length - 1) * step));
        free.retain(|cell| ship(from, step).all(|other| ![0, 1, 99, 100, 101].contains(&cell.abs_diff(other))));
    }
    Some(layout)
}

fn shoot(mut free: Vec<usize>, log: &str, random: impl Fn(usize) -> u64) -> String {
    let answered = |cell, answer| log.contains(&format!(" {}{answer}", name(cell)));
    let hit = |cell| answered(cell, '+') || answered(cell, '#');
    let near = |cell| hit(cell - 1) || hit(cell + 1) || hit(cell - 100) || hit(cell + 100);
    free.retain(|&cell| !hit(cell) && !answered(cell, '-'));
    let worth = |&cell: &usize| (near(cell), (cell / 100 + cell) % 2, random(cell));
    format!("bestshot {}", name(free.into_iter().max_by_key(worth).unwrap()))
}

fn main() {
    // The last line of each kind.
    let mut said = std::collections::HashMap::from(["setoption", "newgame", "position"].map(|word| (word.into(), "".into())));
    for line in std::io::stdin().lines().map_while(Result::ok).take_while(|line| line != "quit") {
        said.insert(line.split(' ').next().unwrap().to_owned(), line.clone());
        let rules = said["newgame"].split(|c: char| !c.is_ascii_digit()).flat_map(str::parse).collect::<Vec<usize>>();
        let board = || (1..=rules[0]).flat_map(|row| (1..=rules[1]).map(move |col| 100 * row + col)).collect();
        let log = if line == "place" { "" } else { &said["position"] };
        let random = |n| BuildHasherDefault::<DefaultHasher>::default().hash_one((&said["setoption"], log, n));
        match line.split(' ').next().unwrap() {
            "ubi" => println!("id name hunter-rs\noption name seed type spin default 0\nubiok"),
            "place" => println!("{}", (0..).find_map(|n| place(board(), &rules[2..], |cell| random(cell + n))).unwrap()),
            "go" => println!("{}", shoot(board(), log, random)),
            _ => {}
        }
    }
}
