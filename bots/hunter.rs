// A Battleship bot in Rust that speaks UBI (docs/ubi.md): fires around hits, and otherwise at random on every second cell.
// Build it with: rustc -O --edition 2024 -o hunter-rs hunter.rs
use std::collections::{HashMap, HashSet};

fn name(row: i32, col: i32) -> String { // from row 27 on there are two letters
    let first = if row < 26 { String::new() } else { char::from(b'@' + (row / 26) as u8).to_string() };
    format!("{first}{}{}", char::from((65 + row % 26) as u8), col + 1)
}

fn cells(top: i32, left: i32, bottom: i32, right: i32) -> impl Iterator<Item = (i32, i32)> {
    (top..=bottom).flat_map(move |r| (left..=right).map(move |c| (r, c)))
}

fn place((rows, cols): (i32, i32), fleet: &[i32], apart: i32, random: &mut impl FnMut(i32) -> i32) -> String {
    let (mut taken, mut ships, mut tries) = (HashSet::new(), String::from("layout"), 0);
    for length in fleet { // puts ships where they fit, and starts over when one doesn't
        let (row, col, bottom, right) = loop {
            let (row, col, down) = (random(rows), random(cols), random(2));
            let (bottom, right) = (row + down * (length - 1), col + (1 - down) * (length - 1));
            if bottom < rows && right < cols && !cells(row, col, bottom, right).any(|cell| taken.contains(&cell)) { break (row, col, bottom, right); }
            tries += 1;
            if tries > 10_000 { return place((rows, cols), fleet, apart, random); }
        };
        taken.extend(cells(row - apart, col - apart, bottom + apart, right + apart));
        ships += &format!(" {}-{}", name(row, col), name(bottom, right));
    }
    ships
}

fn shoot((rows, cols): (i32, i32), log: &str, random: &mut impl FnMut(i32) -> i32) -> String {
    let shots = log.split(' ').filter_map(|shot| Some((&shot[..shot.find(['-', '+', '#'])?], !shot.ends_with('-'))));
    let hits: HashMap<&str, bool> = shots.collect();
    let hit = |r, c| hits.get(&*name(r, c)) == Some(&true);
    let worth = |r, c| if hit(r - 1, c) || hit(r + 1, c) || hit(r, c - 1) || hit(r, c + 1) { 2 } else { (r + c) % 2 };
    let free = cells(0, 0, rows - 1, cols - 1).filter(|&(r, c)| !hits.contains_key(&*name(r, c)));
    let (r, c) = free.max_by_key(|&(r, c)| (worth(r, c), random(1 << 30))).expect("the game is over");
    format!("bestshot {}", name(r, c))
}

fn main() {
    let (mut size, mut fleet, mut apart, mut log, mut seed) = ((10, 10), vec![], 0, String::new(), 1u64);
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let mut random = |n| { seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1); ((seed >> 33) % n as u64) as i32 };
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["ubi", ..] => println!("id name hunter-rs\noption name seed type spin default 0\nubiok"),
            ["setoption", "name", "seed", "value", value] => seed = value.parse().unwrap_or(1),
            ["newgame", board, ships, touch, ..] => {
                let (rows, cols) = board.split_once('x').expect("rows and columns");
                (size, apart) = ((rows.parse().unwrap(), cols.parse().unwrap()), i32::from(touch != "allowed"));
                fleet = ships.split(',').map(|length| length.parse().unwrap()).collect();
            }
            ["place", ..] => println!("{}", place(size, &fleet, apart, &mut random)),
            ["position", ..] => log = line,
            ["go", ..] => println!("{}", shoot(size, &log, &mut random)),
            ["quit", ..] => break,
            _ => {}
        }
    }
}
