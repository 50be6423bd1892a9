//! Solves a small board: the best first shots, the expected number of shots, and the worst case.
//!
//! ```sh
//! cargo run --release -p broadside-solve --example solve -- "4x4 3,2 allowed ship"
//! cargo run --release -p broadside-solve --example solve -- "5x5 3,2 allowed ship" 6GB
//! ```

use broadside_odds::Budget;
use broadside_rules::{Rules, ShotLog};
use broadside_solve::{Progress, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let rules: Rules = args.next().unwrap_or_else(|| "4x4 3,2 allowed ship".to_owned()).parse()?;
    let budget: Budget = args.next().unwrap_or_else(|| "1GB".to_owned()).parse()?;
    let mut on_progress = |progress: Progress| eprintln!("{} positions, {} MB", progress.positions, progress.bytes >> 20);

    let mut solver = Solver::new(&ShotLog::new(&rules), budget)?;
    println!("{rules}: {} layouts", solver.layouts());
    let solution = solver.solve(&mut on_progress)?;
    let best_shots: Vec<String> = solution.best_shots.iter().map(ToString::to_string).collect();
    println!("best first shots: {}", best_shots.join(" "));
    println!("expected shots: {}", solution.expected());
    println!("worst case: {}", solver.worst_case(&mut on_progress)?);
    Ok(())
}
