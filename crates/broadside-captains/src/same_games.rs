//! Tests that captains make the same shots on narrow and wide words, and fast ones the same as slow ones.

use broadside_odds::Dealer;
use broadside_rules::{Referee, Rules};
use proptest::prelude::*;
use rand::SeedableRng;

use crate::bits::{Bits, Wide};
use crate::registry::make;
use crate::testing::rules_and_seed;
use crate::{GameRng, ROSTER};

fn game<B: Bits>(name: &str, rules: &Rules, seed: u64) -> String {
    let mut rng = GameRng::seed_from_u64(seed);
    let mut captain = make::<B>(name, rules).unwrap();
    let mut referee = Referee::new(rules, Dealer::new(rules).uniform(&mut rng).unwrap());
    while !referee.is_over() {
        let cell = captain.aim(referee.log(), &mut rng);
        referee.fire(cell).unwrap();
    }
    referee.log().to_string()
}

proptest! {
    #[test]
    fn boards_of_any_width_give_the_same_games((rules, seed) in rules_and_seed()) {
        // The odds of large boards take their time, and know no width; commodore has a test of its own.
        for entry in ROSTER.iter().filter(|entry| !["exact", "commodore"].contains(&entry.name)) {
            let wide = game::<Wide<2>>(entry.name, &rules, seed);
            prop_assert_eq!(&wide, &game::<Wide<32>>(entry.name, &rules, seed), "{}", entry.name);
            if rules.grid().len() <= 128 {
                prop_assert_eq!(&wide, &game::<u128>(entry.name, &rules, seed), "{}", entry.name);
            }
        }
    }

    #[test]
    fn density_fires_like_the_plain_loop((rules, seed) in rules_and_seed()) {
        let plain = game::<Wide<2>>("density-plain", &rules, seed);
        prop_assert_eq!(game::<Wide<2>>("density", &rules, seed), plain.clone());
        if rules.grid().len() <= 128 {
            prop_assert_eq!(game::<u128>("density", &rules, seed), plain);
        }
    }
}
