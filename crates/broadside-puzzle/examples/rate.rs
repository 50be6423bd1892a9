//! How many puzzles of each grade are made in a minute: `cargo run --release --example rate -- 10x10 5` for five seconds a grade.

use std::thread;
use std::time::{Duration, Instant};

use broadside_puzzle::{Generator, Grade};
use broadside_rules::Grid;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Threads that make puzzles.
const THREADS: u64 = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let grid: Grid = args.next().unwrap_or_else(|| "10x10".to_owned()).parse()?;
    let time = Duration::from_secs(args.next().map_or(Ok(5), |seconds| seconds.parse())?);
    println!("{grid}, {THREADS} threads, {} s a grade", time.as_secs());
    for &grade in Grade::ALL {
        let generator = Generator::new(grid, None, grade)?;
        let made: Vec<(u64, u64, usize)> = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|seed| {
                    scope.spawn({
                        let generator = generator.clone();
                        move || make(generator, seed, time)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("a thread that ends well")).collect()
        });
        let sum = |part: fn(&(u64, u64, usize)) -> f64| made.iter().map(part).sum::<f64>();
        let (puzzles, attempts, revealed) = (sum(|made| made.0 as f64), sum(|made| made.1 as f64), sum(|made| made.2 as f64));
        let minute = puzzles * 60.0 / time.as_secs_f64();
        println!(
            "{grade:<8} {minute:>8.0} a minute, {:.1} boards tried and {:.2} cells revealed for each",
            attempts / puzzles,
            revealed / puzzles
        );
    }
    Ok(())
}

/// Puzzles made in this time, boards tried, and cells revealed.
fn make(mut generator: Generator, seed: u64, time: Duration) -> (u64, u64, usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (start, mut puzzles, mut attempts, mut revealed) = (Instant::now(), 0, 0, 0);
    while start.elapsed() < time {
        attempts += 1;
        if let Some(made) = generator.generate(1, &mut rng) {
            puzzles += 1;
            revealed += made.puzzle.revealed().count();
        }
    }
    (puzzles, attempts, revealed)
}
