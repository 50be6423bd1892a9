// Counts in pairs of 32-bit words, the lower one first, as a 64-bit integer lies in memory.
alias Count = vec2<u32>;

fn none() -> Count {
    return vec2(0u, 0u);
}

fn plus(count: Count, more: u32) -> Count {
    let low = count.x + more;
    // The sum wrapped around just when it is less than what was added.
    return vec2(low, count.y + select(0u, 1u, low < more));
}
