//! The equilibrium of a board, and its certificate:
//! `cargo run --release -p broadside-solve --example equilibrium -- "4x4 3 allowed ship" 2GB certificate.txt`.

use std::time::Instant;

use broadside_odds::Budget;
use broadside_rules::Rules;
use broadside_solve::Equilibrium;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let rules: Rules = args.next().ok_or("which rules?")?.parse()?;
    let budget: Budget = args.next().map_or(Ok(Budget::default()), |budget| budget.parse())?;
    let start = Instant::now();
    let mut replies = 0;
    let found = Equilibrium::find(&rules, budget, &mut |progress| {
        if progress.replies > replies {
            replies = progress.replies;
            eprintln!(
                "{:7.1} s  {replies:4} replies  {:.9} to {:.9}",
                start.elapsed().as_secs_f64(),
                progress.lower,
                progress.upper
            );
        }
    })?;
    println!("{rules}: {} layouts, {} replies, {:.1} s", found.layouts(), found.rounds(), start.elapsed().as_secs_f64());
    println!("value from {} to {}; uniform {}", found.lower(), found.upper(), found.uniform());
    println!("classes used {}, shooters {}", found.hider().len(), found.shooter().len());
    if let Some(file) = args.next() {
        std::fs::write(file, found.to_string())?;
    }
    Ok(())
}
