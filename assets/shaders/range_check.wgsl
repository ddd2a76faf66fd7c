// Checks one chunk of values against an allowed range. The answer must equal the CPU's in every field, so nothing here is
// computed in floating point: values are compared as order-preserving keys, and NaN, infinity, fraction and sign are read
// off the bits. 64-bit values are two words. No optional feature of WebGPU is used; the limits are those of the lowest tier
// that has compute shaders (4 storage buffers, 16,352 bytes of workgroup memory, 256 threads).
//
// Whole numbers from -256 on have a place in a table: how often, and at which index first. Everything about them follows from
// that table and the rule, so the way of an ordinary label is short: find its place, count it, see that it is allowed. What
// the table does not hold ("far") is judged here, value by value.

// The value's type: `Kind` in src/range_check/gpu/lanes.rs.
override KIND: u32 = 0u;
// The bytes of each value stand the other way round.
override SWAPPED: bool = false;

const BOOL = 0u;
const U8 = 1u;
const I8 = 2u;
const U16 = 3u;
const I16 = 4u;
const U32 = 5u;
const I32 = 6u;
const U64 = 7u;
const I64 = 8u;
const F16 = 9u;
const BF16 = 10u;
const F32 = 11u;
const F64 = 12u;

// Threads of a workgroup, and places of the table that each workgroup counts on its own first.
const THREADS = 256u;
const NEAR = 2048u;
// Negative whole numbers in the table.
const NEGATIVE = 256u;
const NOWHERE = 0xffffffffu;

// Flags of the rule.
const FRACTIONS = 1u;
const ALL_BELOW = 2u;
const ALL_ABOVE = 4u;
const IGNORES_NAN = 8u;

// Ways to break the rule, in the order of the test.
const NAN = 0u;
const INFINITE = 1u;
const FRACTION = 2u;
const BELOW = 3u;
const ABOVE = 4u;

struct Params {
    // Values in the chunk.
    values: u32,
    // Index of the first one, counted from where the table was cleared.
    base: u32,
    // Vectors of 16 bytes that each workgroup takes.
    vectors_each: u32,
    // Places in the table.
    table: u32,
    // Places from..to hold allowed values.
    allowed_from: u32,
    allowed_to: u32,
    // Keys of the smallest and the largest allowed value, high word first.
    lo: vec2<u32>,
    hi: vec2<u32>,
    flags: u32,
    // A bit for each way to break the rule whose places are still wanted.
    wanted: u32,
    // Keys that are skipped, rising, at the head of `parts`.
    ignores: u32,
    // Words of one plane of `marks`.
    plane: u32,
    // Where the results begin in `parts`, in words.
    results: u32,
    // Places in the table for which there is memory.
    stride: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<vec4<u32>>;
// How often (first `stride` words), and where first (the rest) as the complement of the index: 0 is never.
@group(0) @binding(2) var<storage, read_write> table: array<atomic<u32>>;
// A bit for each value: breaks the rule (first plane); to be counted, and not in the table (second plane).
@group(0) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;
// The skipped keys, then 16 words of results for each workgroup.
@group(0) @binding(4) var<storage, read_write> parts: array<u32>;

// Words of a workgroup's result. 0 to 4: far values that break the rule, by the way they do.
const R_FAR = 5u;
const R_IGNORED = 6u;
const R_OTHERS = 7u;
const R_NEAR_BELOW = 8u;
const R_NEAR_ABOVE = 9u;
const R_TOP = 10u;
const R_VALUES = 11u;
const R_LEAST_HI = 12u;
const R_LEAST_LO = 13u;
const R_MOST_HI = 14u;
const R_MOST_LO = 15u;
const RESULTS = 16u;

var<workgroup> near: array<atomic<u32>, NEAR>;
var<workgroup> result: array<atomic<u32>, RESULTS>;
var<workgroup> is_new: atomic<u32>;

// What one thread has seen. Equal values behind each other are counted as one run: most labels of a mask, a sorted column.
var<private> run_place: u32 = NOWHERE;
var<private> run_count: u32 = 0u;
var<private> run_first: u32 = 0u;
var<private> top: u32 = 0u;
var<private> seen: u32 = 0u;
var<private> far_count: u32 = 0u;
var<private> ignored: u32 = 0u;
var<private> others: u32 = 0u;
var<private> broken: array<u32, 5>;
var<private> near_below: u32 = 0u;
var<private> near_above: u32 = 0u;
// Keys of the smallest and the largest finite far value.
var<private> least: vec2<u32> = vec2<u32>(0xffffffffu, 0xffffffffu);
var<private> most: vec2<u32> = vec2<u32>(0u, 0u);

fn is_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

fn swap_bytes(word: u32) -> u32 {
    return (word >> 24u) | ((word >> 8u) & 0xff00u) | ((word << 8u) & 0xff0000u) | (word << 24u);
}

fn per_vector() -> u32 {
    if KIND <= I8 {
        return 16u;
    }
    if KIND <= I16 || KIND == F16 || KIND == BF16 {
        return 8u;
    }
    if KIND == U32 || KIND == I32 || KIND == F32 {
        return 4u;
    }
    return 2u;
}

// The bits of value `k` of a vector: high word and low word. Narrow signed integers are extended; bfloat16 is the upper half of
// a single.
fn bits_of(vector: vec4<u32>, k: u32) -> vec2<u32> {
    if KIND <= I8 {
        let byte = (vector[k >> 2u] >> ((k & 3u) * 8u)) & 0xffu;
        if KIND == BOOL {
            return vec2<u32>(0u, select(0u, 1u, byte != 0u));
        }
        if KIND == I8 {
            return vec2<u32>(0u, bitcast<u32>(bitcast<i32>(byte << 24u) >> 24u));
        }
        return vec2<u32>(0u, byte);
    }
    if KIND <= I16 || KIND == F16 || KIND == BF16 {
        var half = (vector[k >> 1u] >> ((k & 1u) * 16u)) & 0xffffu;
        if SWAPPED {
            half = (half >> 8u) | ((half << 8u) & 0xff00u);
        }
        if KIND == I16 {
            return vec2<u32>(0u, bitcast<u32>(bitcast<i32>(half << 16u) >> 16u));
        }
        if KIND == BF16 {
            return vec2<u32>(0u, half << 16u);
        }
        return vec2<u32>(0u, half);
    }
    if KIND == U32 || KIND == I32 || KIND == F32 {
        var word = vector[k];
        if SWAPPED {
            word = swap_bytes(word);
        }
        return vec2<u32>(0u, word);
    }
    var low = vector[k * 2u];
    var high = vector[k * 2u + 1u];
    if SWAPPED {
        let first = swap_bytes(low);
        low = swap_bytes(high);
        high = first;
    }
    return vec2<u32>(high, low);
}

// What the bits of a floating-point value say.
struct Float {
    nan: bool,
    infinite: bool,
    fraction: bool,
    // Place in the table, NOWHERE for what is no small whole number.
    place: u32,
}

fn place_of_whole(negative: bool, whole: u32) -> u32 {
    if negative {
        return select(NOWHERE, NEGATIVE - whole, whole <= NEGATIVE);
    }
    return NEGATIVE + whole;
}

fn float_of(bits: vec2<u32>) -> Float {
    if KIND == F64 {
        let negative = (bits.x >> 31u) != 0u;
        let high = bits.x & 0x7fffffffu;
        let exponent = high >> 20u;
        let mantissa = (high & 0xfffffu) | 0x100000u;
        if exponent == 2047u {
            let nan = (high & 0xfffffu) != 0u || bits.y != 0u;
            return Float(nan, !nan, false, NOWHERE);
        }
        if high == 0u && bits.y == 0u {
            return Float(false, false, false, NEGATIVE);
        }
        if exponent < 1023u {
            return Float(false, false, true, NOWHERE);
        }
        let power = exponent - 1023u;
        if power <= 20u {
            let shift = 20u - power;
            let fraction = (mantissa & ((1u << shift) - 1u)) != 0u || bits.y != 0u;
            if fraction || power > 18u {
                return Float(false, false, fraction, NOWHERE);
            }
            return Float(false, false, false, place_of_whole(negative, mantissa >> shift));
        }
        if power < 52u {
            return Float(false, false, (bits.y & ((1u << (52u - power)) - 1u)) != 0u, NOWHERE);
        }
        return Float(false, false, false, NOWHERE);
    }
    var digits = 23u;
    var bias = 127u;
    var top_exponent = 255u;
    var sign = 0x80000000u;
    if KIND == F16 {
        digits = 10u;
        bias = 15u;
        top_exponent = 31u;
        sign = 0x8000u;
    }
    let negative = (bits.y & sign) != 0u;
    let size = bits.y & (sign - 1u);
    let exponent = size >> digits;
    let rest = size & ((1u << digits) - 1u);
    if exponent == top_exponent {
        return Float(rest != 0u, rest == 0u, false, NOWHERE);
    }
    if size == 0u {
        return Float(false, false, false, NEGATIVE);
    }
    if exponent < bias {
        return Float(false, false, true, NOWHERE);
    }
    let power = exponent - bias;
    let mantissa = rest | (1u << digits);
    if power < digits {
        let shift = digits - power;
        let fraction = (mantissa & ((1u << shift) - 1u)) != 0u;
        if fraction || power > 18u {
            return Float(false, false, fraction, NOWHERE);
        }
        return Float(false, false, false, place_of_whole(negative, mantissa >> shift));
    }
    if power > 18u {
        return Float(false, false, false, NOWHERE);
    }
    return Float(false, false, false, place_of_whole(negative, mantissa << (power - digits)));
}

// The key of a value's bits: of two values the smaller one has the smaller key; -0 has that of 0.
fn key_of(bits: vec2<u32>) -> vec2<u32> {
    if KIND == I64 {
        return vec2<u32>(bits.x ^ 0x80000000u, bits.y);
    }
    if KIND == I8 || KIND == I16 || KIND == I32 {
        return vec2<u32>(0u, bits.y ^ 0x80000000u);
    }
    if KIND == F64 {
        if (bits.x & 0x7fffffffu) == 0u && bits.y == 0u {
            return vec2<u32>(0x80000000u, 0u);
        }
        if (bits.x >> 31u) != 0u {
            return vec2<u32>(~bits.x, ~bits.y);
        }
        return vec2<u32>(bits.x | 0x80000000u, bits.y);
    }
    if KIND == F16 || KIND == BF16 || KIND == F32 {
        let sign = select(0x80000000u, 0x8000u, KIND == F16);
        if (bits.y & (sign - 1u)) == 0u {
            return vec2<u32>(0u, sign);
        }
        if (bits.y & sign) != 0u {
            return vec2<u32>(0u, ~bits.y & (sign | (sign - 1u)));
        }
        return vec2<u32>(0u, bits.y | sign);
    }
    return bits;
}

fn is_ignored(key: vec2<u32>) -> bool {
    var begin = 0u;
    var end = params.ignores;
    while begin < end {
        let middle = (begin + end) / 2u;
        let other = vec2<u32>(parts[middle * 2u], parts[middle * 2u + 1u]);
        if all(other == key) {
            return true;
        }
        if is_less(other, key) {
            begin = middle + 1u;
        } else {
            end = middle;
        }
    }
    return false;
}

fn mark(plane: u32, index: u32) {
    atomicOr(&marks[plane * params.plane + (index >> 5u)], 1u << (index & 31u));
}

fn end_run() {
    if run_count == 0u {
        return;
    }
    top = max(top, run_place + 1u);
    if run_place < NEAR {
        atomicAdd(&near[run_place], run_count);
        return;
    }
    atomicAdd(&table[run_place], run_count);
    note_first(run_place, run_first);
}

// The plain read spares almost every atomic write: once a value is known, nothing later comes before it.
fn note_first(place: u32, index: u32) {
    let turned = ~(params.base + index);
    if atomicLoad(&table[params.stride + place]) < turned {
        atomicMax(&table[params.stride + place], turned);
    }
}

// A value of the table that may not be allowed.
fn doubt(bits: vec2<u32>, place: u32, index: u32) {
    if is_ignored(key_of(bits)) {
        return;
    }
    let below = place < params.allowed_from;
    if below {
        near_below += 1u;
    } else {
        near_above += 1u;
    }
    if (params.wanted & (1u << select(ABOVE, BELOW, below))) != 0u {
        mark(0u, index);
    }
}

// A value that the table does not hold.
fn judge(bits: vec2<u32>, nan: bool, infinite: bool, fraction: bool, index: u32) {
    far_count += 1u;
    let key = key_of(bits);
    if (nan && (params.flags & IGNORES_NAN) != 0u) || (!nan && is_ignored(key)) {
        ignored += 1u;
        if !fraction {
            others += 1u;
            mark(1u, index);
        }
        return;
    }
    if !nan && !infinite {
        if is_less(key, least) {
            least = key;
        }
        if is_less(most, key) {
            most = key;
        }
    }
    var way = NOWHERE;
    if nan {
        way = NAN;
    } else if infinite {
        way = INFINITE;
    } else if fraction && (params.flags & FRACTIONS) == 0u {
        way = FRACTION;
    } else if (params.flags & ALL_BELOW) != 0u || is_less(key, params.lo) {
        way = BELOW;
    } else if (params.flags & ALL_ABOVE) != 0u || is_less(params.hi, key) {
        way = ABOVE;
    }
    if way != NOWHERE {
        broken[way] += 1u;
        if (params.wanted & (1u << way)) != 0u {
            mark(0u, index);
        }
    }
    if way != NOWHERE || !fraction {
        others += 1u;
        mark(1u, index);
    }
}

fn place_of(bits: vec2<u32>) -> u32 {
    if KIND == I64 {
        let place = bits.y + NEGATIVE;
        let carried = bits.x + select(0u, 1u, place < NEGATIVE);
        return select(NOWHERE, place, carried == 0u);
    }
    if KIND == U64 || KIND == U32 {
        return select(NOWHERE, bits.y + NEGATIVE, bits.x == 0u && bits.y < 0x80000000u);
    }
    return bits.y + NEGATIVE;
}

fn take(bits: vec2<u32>, index: u32) {
    seen += 1u;
    var place = NOWHERE;
    var nan = false;
    var infinite = false;
    var fraction = false;
    if KIND >= F16 {
        let float = float_of(bits);
        place = float.place;
        nan = float.nan;
        infinite = float.infinite;
        fraction = float.fraction;
    } else {
        place = place_of(bits);
    }
    if place < params.table {
        if place == run_place {
            run_count += 1u;
        } else {
            end_run();
            run_place = place;
            run_count = 1u;
            run_first = index;
        }
        if place < params.allowed_from || place >= params.allowed_to {
            doubt(bits, place, index);
        }
    } else {
        judge(bits, nan, infinite, fraction, index);
    }
}

@compute @workgroup_size(THREADS)
fn check(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    for (var place = thread; place < NEAR; place += THREADS) {
        atomicStore(&near[place], 0u);
    }
    if thread < RESULTS {
        atomicStore(&result[thread], select(0u, NOWHERE, thread == R_LEAST_HI || thread == R_LEAST_LO));
    }
    if thread == 0u {
        atomicStore(&is_new, 0u);
    }
    workgroupBarrier();

    let each = per_vector();
    let vectors = (params.values + each - 1u) / each;
    let begin = min(group.x * params.vectors_each, vectors);
    let end = min(begin + params.vectors_each, vectors);
    for (var at = begin + thread; at < end; at += THREADS) {
        let vector = values[at];
        let first = at * each;
        for (var k = 0u; k < each; k += 1u) {
            if first + k < params.values {
                take(bits_of(vector, k), first + k);
            }
        }
    }
    end_run();

    atomicAdd(&result[R_VALUES], seen);
    atomicMax(&result[R_TOP], top);
    if far_count > 0u {
        atomicAdd(&result[R_FAR], far_count);
        atomicAdd(&result[R_IGNORED], ignored);
        atomicAdd(&result[R_OTHERS], others);
        for (var way = 0u; way < 5u; way += 1u) {
            atomicAdd(&result[way], broken[way]);
        }
        atomicMin(&result[R_LEAST_HI], least.x);
        atomicMax(&result[R_MOST_HI], most.x);
    }
    if near_below + near_above > 0u {
        atomicAdd(&result[R_NEAR_BELOW], near_below);
        atomicAdd(&result[R_NEAR_ABOVE], near_above);
    }
    workgroupBarrier();

    // The low words count only where the high word is the smallest, or the largest, of all.
    if far_count > 0u && least.x == atomicLoad(&result[R_LEAST_HI]) {
        atomicMin(&result[R_LEAST_LO], least.y);
    }
    if far_count > 0u && most.x == atomicLoad(&result[R_MOST_HI]) {
        atomicMax(&result[R_MOST_LO], most.y);
    }
    // The workgroup's own counts join the table. Is one of its values new, or known only from further behind?
    let earliest = ~(params.base + begin * each);
    for (var place = thread; place < min(NEAR, params.table); place += THREADS) {
        let count = atomicLoad(&near[place]);
        if count > 0u {
            atomicAdd(&table[place], count);
            if atomicLoad(&table[params.stride + place]) < earliest {
                atomicStore(&is_new, 1u);
            }
        }
    }
    workgroupBarrier();

    if thread < RESULTS {
        parts[params.results + group.x * RESULTS + thread] = atomicLoad(&result[thread]);
    }
    // Seldom after the first chunk: where the new values stand.
    if atomicLoad(&is_new) != 0u {
        for (var at = begin + thread; at < end; at += THREADS) {
            let vector = values[at];
            let first = at * each;
            for (var k = 0u; k < each; k += 1u) {
                if first + k < params.values {
                    let bits = bits_of(vector, k);
                    var place = NOWHERE;
                    if KIND >= F16 {
                        place = float_of(bits).place;
                    } else {
                        place = place_of(bits);
                    }
                    if place < min(NEAR, params.table) {
                        note_first(place, first + k);
                    }
                }
            }
        }
    }
}
