// The last three ships of every item, counted in parallel.
//
// A line with a number sign stands for as many lines as a set of placements has words, with 0, 1, 2 and so on in place of the
// sign, and one with a dollar sign for as many as an invocation takes items at once. Arrays and loops
// would keep these words out of registers. `WORDS`, `ITEMS_AT_ONCE`, `ITEMS_PER_SUM`, `Count`, `none` and `plus` are put before this text.

struct Segment {
    a: u32,          // placements of the ship that is counted
    b: u32,          // placements of the ship that is gone through
    items: u32,      // items of the segment, filled up with empty ones to a multiple of what an invocation takes at once
    first: u32,      // the first of them, as a word of `items`
    entries: u32,    // where its entries start: one for each item and placement of a
    uses: u32,       // where its sums over items start: one for each placement of a
    totals: u32,     // where its sums over placements start: one for each item
    open_a: u32,     // where in an item the open placements of a are, and of b and c
    open_b: u32,
    open_c: u32,
    ab: u32,         // for each placement of a, those of b that go with it
    ac: u32,         // for each placement of a, those of c
    bc: u32,         // for each placement of b, those of c
    partials: u32,   // where among the entries its sums over pieces are: one for each piece and placement of a
}

@group(0) @binding(0) var<storage, read> tables: array<u32>;
@group(0) @binding(1) var<storage, read> items: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<Segment>;
// For each workgroup of `list`: its segment, and which entry of it is the first.
@group(0) @binding(3) var<storage, read> blocks: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> entries: array<u32>;
@group(0) @binding(5) var<storage, read_write> uses: array<Count>;
@group(0) @binding(6) var<storage, read_write> totals: array<u32>;

// Some entries, of one placement and of the items that an invocation takes at once: in how many ways b and c join them.
@compute @workgroup_size(64)
fn list(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = blocks[group.x];
    let segment = segments[block.x];
    let number = block.y + lane;
    if number >= segment.items / ITEMS_AT_ONCE * segment.a {
        return;
    }
    let item = number / segment.a * ITEMS_AT_ONCE;
    let x = number % segment.a;
    let ab = segment.ab + x * WORDS;
    let ac = segment.ac + x * WORDS;
    let item$ = segment.first + (item + $u) * (3u * WORDS);
    // No placement of c is left for an item in which x is not open.
    let open$ = 0u - ((items[item$ + segment.open_a + x / 32u] >> (x % 32u)) & 1u);
    let c$_# = items[item$ + segment.open_c + #u] & tables[ac + #u] & open$;
    var ways$ = 0u;
    for (var base = 0u; base < segment.b; base += 32u) {
        let near = tables[ab + base / 32u];
        var left$ = items[item$ + segment.open_b + base / 32u] & near;
        // Every invocation goes through the same placements of b, so that a row is read at once for all of them.
        let end = min(base + 32u, segment.b);
        for (var y = base; y < end; y += 1u) {
            let row = segment.bc + y * WORDS;
            let row# = tables[row + #u];
            var found$ = 0u;
            found$ += countOneBits(c$_# & row#);
            ways$ += found$ & (0u - (left$ & 1u));
            left$ >>= 1u;
        }
    }
    entries[segment.entries + (item + $u) * segment.a + x] = ways$;
}

// The sums of one piece of a segment: over the placements for each item, and over the items for each placement. Pieces keep loops
// short, since some drivers end a loop silently when all loops of an invocation together have gone round 65535 times.
@compute @workgroup_size(64)
fn fold(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let segment = segments[group.x];
    let first = group.y * ITEMS_PER_SUM;
    let end = min(first + ITEMS_PER_SUM, segment.items);
    for (var item = first + lane; item < end; item += 64u) {
        var total = 0u;
        for (var x = 0u; x < segment.a; x += 1u) {
            total += entries[segment.entries + item * segment.a + x];
        }
        totals[segment.totals + item] = total;
    }
    if first >= end {
        return;
    }
    for (var x = lane; x < segment.a; x += 64u) {
        var sum = 0u;
        for (var item = first; item < end; item += 1u) {
            sum += entries[segment.entries + item * segment.a + x];
        }
        entries[segment.partials + group.y * segment.a + x] = sum;
    }
}

// The sums of a segment over all items, which can pass 32 bits.
@compute @workgroup_size(64)
fn gather(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let segment = segments[group.x];
    let pieces = (segment.items + ITEMS_PER_SUM - 1u) / ITEMS_PER_SUM;
    for (var x = lane; x < segment.a; x += 64u) {
        var sum = none();
        for (var piece = 0u; piece < pieces; piece += 1u) {
            sum = plus(sum, entries[segment.partials + piece * segment.a + x]);
        }
        uses[segment.uses + x] = sum;
    }
}
