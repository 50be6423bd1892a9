// A Battleship bot in Rust that speaks UBI (docs/ubi.md): fires around hits, and otherwise at random on a pattern.
// Build it with: rustc -O --edition 2024 -o hunter-rs hunter.rs
use std::collections::{HashMap, HashSet};
use std::io::stdin;

type Cell = (i32, i32);

#[derive(Default)]
struct Bot { rows: i32, cols: i32, fleet: Vec<i32>, apart: i32, answers: HashMap<String, bool>, seed: u64 }

fn name((row, col): Cell) -> String {
    let letter = |n: i32| char::from(b'A' + n as u8);
    let first = if row < 26 { String::new() } else { letter(row / 26 - 1).to_string() };
    format!("{first}{}{}", letter(row % 26), col + 1)
}

impl Bot {
    fn random(&mut self, n: i32) -> i32 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.seed >> 33) % n as u64) as i32
    }

    fn place(&mut self) -> String { // puts ships where they fit, and starts over when one doesn't
        let (mut blocked, mut ships, mut tries) = (HashSet::new(), Vec::new(), 0);
        while ships.len() < self.fleet.len() {
            tries += 1;
            if tries > 1000 { (blocked, ships, tries) = Default::default(); }
            let (length, down) = (self.fleet[ships.len()], self.random(2));
            let (row, col) = (self.random(self.rows), self.random(self.cols));
            let (bottom, right) = (row + down * (length - 1), col + (1 - down) * (length - 1));
            let square = |by: i32| (row - by..=bottom + by).flat_map(move |r| (col - by..=right + by).map(move |c| (r, c)));
            if bottom < self.rows && right < self.cols && !square(0).any(|cell| blocked.contains(&cell)) {
                blocked.extend(square(self.apart));
                let stern = if length > 1 { format!("-{}", name((bottom, right))) } else { String::new() };
                ships.push(name((row, col)) + &stern);
            }
        }
        format!("layout {}", ships.join(" "))
    }

    fn shoot(&mut self) -> String {
        let shortest = self.fleet.iter().copied().min().unwrap_or(1);
        let hit = |r: i32, c: i32| r >= 0 && self.answers.get(&name((r, c))) == Some(&true);
        let worth = |(r, c): Cell| match hit(r, c - 1) || hit(r, c + 1) || hit(r - 1, c) || hit(r + 1, c) {
            true => 2,
            false => i32::from((r + c) % shortest == 0),
        };
        let free = (0..self.rows).flat_map(|r| (0..self.cols).map(move |c| (r, c))).filter(|&cell| !self.answers.contains_key(&name(cell)));
        let rated: Vec<(i32, Cell)> = free.map(|cell| (worth(cell), cell)).collect();
        let best = rated.iter().map(|(worth, _)| *worth).max().unwrap_or(0);
        let best: Vec<Cell> = rated.into_iter().filter(|(worth, _)| *worth == best).map(|(_, cell)| cell).collect();
        format!("bestshot {}", name(best[self.random(best.len() as i32) as usize]))
    }
}

fn main() {
    let mut bot = Bot::default();
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ubi", ..] => println!("id name hunter-rs\noption name seed type spin default 0\nubiok"),
            ["setoption", "name", "seed", "value", seed] => bot.seed = seed.parse().unwrap_or(0),
            ["newgame", board, fleet, touch, _] => {
                let (rows, cols) = board.split_once('x').unwrap_or(("10", "10"));
                (bot.rows, bot.cols) = (rows.parse().unwrap_or(10), cols.parse().unwrap_or(10));
                bot.fleet = fleet.split(',').filter_map(|length| length.parse().ok()).collect();
                (bot.apart, bot.answers) = (i32::from(touch != "allowed"), HashMap::new());
            }
            ["place", ..] => println!("{}", bot.place()),
            ["position", ref shots @ ..] => {
                let split = |shot: &&str| shot.find(['-', '+', '#']).map(|at| (shot[..at].to_owned(), !shot.ends_with('-')));
                bot.answers = shots.iter().filter_map(split).collect();
            }
            ["go", ..] => println!("{}", bot.shoot()),
            ["quit", ..] => break,
            _ => {}
        }
    }
}
