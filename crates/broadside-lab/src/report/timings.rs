//! Times, which the caller measures.

/// All times that the report shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Timings {
    /// Threads of the parallel listing.
    pub threads: usize,
    /// The empty classic board.
    pub counting: CountingTimes,
    /// The nine boards of the validation paper.
    pub checking: ValidationTimes,
}

/// Seconds to count the empty classic board with all marginals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountingTimes {
    /// Listing cliques on one thread, and on all threads; `None` if that was left out.
    pub listing: Option<(f64, f64)>,
    /// How many those are.
    pub threads: usize,
    /// The transfer engine on one thread.
    pub transfer: f64,
}

/// Seconds to check nine boards, for each run.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationTimes {
    /// By brute force.
    pub brute: Vec<f64>,
    /// By the skip method.
    pub skip: Vec<f64>,
    /// By the default method.
    pub fast_check: Vec<f64>,
}
