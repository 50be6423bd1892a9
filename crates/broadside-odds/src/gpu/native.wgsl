// Counts in 64-bit integers of the adapter.
alias Count = u64;

fn none() -> Count {
    return 0lu;
}

fn plus(count: Count, more: u32) -> Count {
    return count + u64(more);
}
