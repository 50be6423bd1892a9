//! Which cores the bots of each game run on.

use std::thread;

use broadside_bots::tournament::{Cores, Tournament};

/// The workers, each with the cores of its bots. No core is given to two bots, as long as there are enough.
pub(super) fn workers(tournament: &Tournament, concurrency: Option<u64>, quiet: bool) -> Vec<Cores> {
    let cores = thread::available_parallelism().map_or(1, usize::from).min(rayon::current_num_threads().max(1));
    let bots = tournament.bots_in_a_game();
    let asked = concurrency.map(|games| games as usize);
    if bots > 0 && !quiet && asked.unwrap_or(1) * bots > cores {
        anstream::eprintln!("there are {cores} cores, so that bots of one game share them");
    }
    share_out(cores, bots, asked)
}

fn share_out(cores: usize, bots: usize, concurrency: Option<usize>) -> Vec<Cores> {
    let games = concurrency.unwrap_or_else(|| cores / bots.max(1)).max(1);
    // Where there are too few, the system shares them out.
    if bots == 0 || games * bots > cores {
        return vec![Cores::new(); games];
    }
    (0..games).map(|game| (0..bots).map(|bot| vec![game * bots + bot]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::share_out;

    #[test]
    fn no_core_is_given_to_two_bots() {
        assert_eq!(share_out(4, 2, None), [vec![vec![0], vec![1]], vec![vec![2], vec![3]]]);
        assert_eq!(share_out(2, 1, None), [vec![vec![0]], vec![vec![1]]]);
        assert_eq!(share_out(4, 2, Some(1)), [vec![vec![0], vec![1]]]);
        assert_eq!(share_out(2, 0, None).len(), 2, "captains need no core of their own");
        assert_eq!(share_out(1, 2, None), [Vec::<Vec<usize>>::new()], "one game at a time on a single core");
    }
}
