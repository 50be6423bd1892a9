//! Best play.
mod belief;
mod floor;
mod goal;
mod key;
mod remnant;
mod search;

use broadside_odds::{Budget, OutOfReach, oracle::each_layout};
use broadside_rules::Rules;

/// Try.
pub fn try_it(rules: &Rules, budget: Budget, tell: &mut dyn FnMut(u64)) -> Result<(u32, u32, u32, usize, usize), OutOfReach> {
    let mut remnants = remnant::Remnants::new(rules);
    let mut rows = Vec::new();
    each_layout(rules, budget, &mut |layout| rows.push((remnants.of(layout, 0), 1)))?;
    let all = belief::Belief::of(rows);
    let n = all.weight();
    let mut s = search::Search::new(goal::Goal::Sum, &mut remnants, rules.fleet().cells(), budget, tell);
    let t = std::time::Instant::now();
    eprintln!("root floor {}", s.root_floor(&all));
    let sum = s.cost(&all)?;
    eprintln!("sum {} looked {} {:?}", s.known(), s.looked_into, t.elapsed());
    let t = std::time::Instant::now();
    let (known, bytes) = (s.known(), s.bytes());
    let mut s = search::Search::new(goal::Goal::Worst, &mut remnants, rules.fleet().cells(), budget, tell);
    let worst = s.cost(&all)?;
    eprintln!("worst {} looked {} {:?}", s.known(), s.looked_into, t.elapsed());
    Ok((n, sum, worst, known, bytes))
}
