//! Checks the certificates of equilibria without the solver, by trying every cell in every position. Slow.
//!
//! ```sh
//! cargo run --release -p broadside-solve --example check_equilibrium -- certificate.txt
//! ```

#[path = "../tests/suite/certificate.rs"]
mod certificate;

fn main() -> std::io::Result<()> {
    for file in std::env::args().skip(1) {
        let (lower, upper) = certificate::check(&std::fs::read_to_string(&file)?);
        println!("{file}: the value is at least {lower} and at most {upper}");
    }
    Ok(())
}
