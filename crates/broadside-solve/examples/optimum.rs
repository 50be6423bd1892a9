//! Solves a board and says what it took: `optimum "5x5 2,2 allowed ship" 8GB [worst]`.

use std::time::Instant;

use broadside_rules::{Rules, ShotLog};
use broadside_solve::Solver;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let rules: Rules = args.next().ok_or("rules, please")?.parse()?;
    let budget = args.next().unwrap_or_else(|| "8GB".to_owned()).parse()?;
    let start = Instant::now();
    let mut solver = Solver::new(&ShotLog::new(&rules), budget)?;
    println!("{rules}: {} layouts", solver.layouts());
    let mut told = 0;
    let mut tell = |progress: broadside_solve::Progress| {
        told += 1;
        if told % 4 == 0 {
            eprintln!("{:.1} s {progress:?}", start.elapsed().as_secs_f64());
        }
    };
    if args.next().as_deref() == Some("worst") {
        println!("worst {}: {:.1} s", solver.worst(&mut tell)?, start.elapsed().as_secs_f64());
        return Ok(());
    }
    let solution = solver.solve(&mut tell)?;
    let first: Vec<String> = solution.first.iter().map(ToString::to_string).collect();
    println!("{} by {}: {:.1} s, {:?}", solution.expected(), first.join(" "), start.elapsed().as_secs_f64(), solution.taken);
    Ok(())
}
