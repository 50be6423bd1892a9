//! x
fn main() {
    let rules: broadside_rules::Rules = std::env::args().nth(1).unwrap().parse().unwrap();
    let t = std::time::Instant::now();
    let budget = std::env::args().nth(2).unwrap_or("4GB".into()).parse().unwrap();
    match broadside_solve::try_it(&rules, budget, &mut |n| if n % 64 == 0 { eprintln!("{n}") }) {
        Ok((n, sum, worst, known, bytes)) => {
            let k = rules.fleet().cells() as u32;
            println!("{rules}: n {n} misses {sum} expected {}/{n} = {:.4} worst {} known {known} bytes {bytes} time {:?}", sum + k * n, f64::from(sum) / f64::from(n) + f64::from(k), worst + k, t.elapsed())
        }
        Err(e) => println!("{rules}: {e} after {:?}", t.elapsed()),
    }
}
