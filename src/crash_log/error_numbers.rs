//! The numbers that error texts state, by meaning.
//!
//! Only numbers that stand at a known place of a known wording; nothing is computed but units and one sum.

use super::{ErrorFamily, NumberRole};

/// The numbers of a text of this family.
pub(super) fn numbers(family: ErrorFamily, text: &str) -> Vec<(NumberRole, i64)> {
    use NumberRole as N;
    let mut found = Vec::new();
    let mut add = |role: N, value: Option<i64>| {
        if let Some(value) = value {
            found.push((role, value));
        }
    };
    match family {
        ErrorFamily::OutOfMemory => {
            add(N::RequestedBytes, bytes_after(text, "Tried to allocate "));
            add(
                N::TotalBytes,
                bytes_before(text, " total capacity")
                    .or_else(|| bytes_after(text, "has a total capacity of "))
                    .or_else(|| bytes_after(text, "has a total capacty of ")),
            );
            add(
                N::FreeBytes,
                bytes_before(text, " is free").or_else(|| bytes_before(text, " free;")),
            );
            let allocated = bytes_before(text, " already allocated")
                .or_else(|| bytes_before(text, " is allocated by PyTorch"));
            add(N::AllocatedBytes, allocated);
            // Newer texts split what is reserved into the allocated and the unallocated part.
            let unallocated = bytes_before(text, " is reserved by PyTorch but unallocated");
            add(
                N::ReservedBytes,
                bytes_before(text, " reserved in total by PyTorch")
                    .or_else(|| bytes_before(text, " cached"))
                    .or_else(|| Some(allocated?.saturating_add(unallocated?))),
            );
        }
        ErrorFamily::HostMemory => add(
            N::RequestedBytes,
            int_after(text, "you tried to allocate ")
                .or_else(|| bytes_after(text, "Unable to allocate ")),
        ),
        ErrorFamily::CpuTarget => add(N::Value, int_after(text, "Target ")),
        ErrorFamily::CpuGather | ErrorFamily::CpuIndex => {
            if let Some(value) = int_after(text, "invalid max index: ") {
                add(N::Value, Some(value));
            } else {
                add(N::Value, int_after(text, "index "));
                add(
                    N::Size,
                    int_after(text, "with size ").or_else(|| int_after(text, "on a tensor of ")),
                );
            }
        }
        ErrorFamily::CpuEmbedding => {
            add(
                N::Value,
                int_after(text, "Tried to access index ")
                    .or_else(|| int_after(text, "takes value "))
                    .or_else(|| int_after(text, "select(): index ")),
            );
            add(
                N::Size,
                int_after(text, "out of table with ")
                    .or_else(|| int_after(text, "valid range [0, "))
                    .or_else(|| int_after(text, "for tensor of size [")),
            );
        }
        ErrorFamily::Shape => {
            if let Some(first) = int_after(text, "batch_size (") {
                add(N::First, Some(first));
                add(N::Second, int_after(text, "target batch_size ("));
            } else if let Some(first) = int_after(text, "size of tensor a (") {
                add(N::First, Some(first));
                add(N::Second, int_after(text, "size of tensor b ("));
            } else if let Some((first, second)) = inner_dimensions(text) {
                add(N::First, Some(first));
                add(N::Second, Some(second));
            }
        }
        ErrorFamily::WorkerExited | ErrorFamily::ChildFailed => {
            add(
                N::Pid,
                int_after(text, "(pid(s) ")
                    .or_else(|| int_after(text, "(pid "))
                    .or_else(|| int_after(text, "(pid: "))
                    .or_else(|| int_after(text, "Process ")),
            );
            add(
                N::ExitCode,
                int_after(text, "exit code ")
                    .or_else(|| int_after(text, "exitcode: "))
                    .or_else(|| int_after(text, "exitcode  : "))
                    .or_else(|| int_after(text, "return code = "))
                    .or_else(|| int_after(text, "exit status ")),
            );
        }
        ErrorFamily::ProcessDied => add(N::ExitCode, int_after(text, "exit code ")),
        _ => {}
    }
    found
}

/// The whole number right after the marker's first occurrence that has one.
pub(super) fn int_after(text: &str, marker: &str) -> Option<i64> {
    text.match_indices(marker)
        .take(8)
        .find_map(|(at, _)| leading_int(text.get(at + marker.len()..)?))
}

/// The whole number at the start, with its sign.
pub(super) fn leading_int(text: &str) -> Option<i64> {
    let digits_from = usize::from(text.starts_with('-'));
    let rest = text.get(digits_from..)?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    text.get(..digits_from + end)?.parse().ok()
}

fn bytes_after(text: &str, marker: &str) -> Option<i64> {
    let at = text.find(marker)? + marker.len();
    let mut words = text.get(at..)?.split_whitespace();
    bytes(words.next()?, words.next()?)
}

fn bytes_before(text: &str, marker: &str) -> Option<i64> {
    text.match_indices(marker).take(8).find_map(|(at, _)| {
        let mut words = text
            .get(..at)?
            .rsplit(|c: char| c.is_whitespace() || c == '(');
        let unit = words.next()?;
        bytes(words.next()?, unit)
    })
}

fn bytes(number: &str, unit: &str) -> Option<i64> {
    let factor = match unit.trim_end_matches(|c: char| !c.is_ascii_alphabetic()) {
        "bytes" | "byte" | "B" => 1.0,
        "KiB" | "KB" | "kB" => 1024.0,
        "MiB" | "MB" => 1024.0 * 1024.0,
        "GiB" | "GB" => 1024.0 * 1024.0 * 1024.0,
        "TiB" | "TB" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    (number.is_finite() && number >= 0.0).then(|| (number * factor).round() as i64)
}

/// Of `mat1 and mat2 shapes cannot be multiplied (60x128 and 64x10)`, 128 and 64.
fn inner_dimensions(text: &str) -> Option<(i64, i64)> {
    let open = text.find("cannot be multiplied (")? + "cannot be multiplied (".len();
    let (left, right) = text.get(open..)?.split_once(" and ")?;
    let first = left.split('x').nth(1)?.parse().ok()?;
    Some((first, leading_int(right)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ErrorFamily as F;
    use NumberRole as N;

    fn check(family: F, text: &str, expected: &[(N, i64)]) {
        assert_eq!(numbers(family, text), expected, "{text}");
    }

    #[test]
    fn memory_in_old_and_new_wording() {
        let mib = |m: f64| (m * 1024.0 * 1024.0).round() as i64;
        let gib = |g: f64| mib(g * 1024.0);
        check(
            F::OutOfMemory,
            "CUDA out of memory. Tried to allocate 22.00 MiB (GPU 0; 12.00 GiB total capacity; 10.89 GiB already allocated; 0 bytes free; 11.31 GiB reserved in total by PyTorch)",
            &[
                (N::RequestedBytes, mib(22.0)),
                (N::TotalBytes, gib(12.0)),
                (N::FreeBytes, 0),
                (N::AllocatedBytes, gib(10.89)),
                (N::ReservedBytes, gib(11.31)),
            ],
        );
        check(
            F::OutOfMemory,
            "CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 11.76 GiB of which 19.12 MiB is free. Including non-PyTorch memory, this process has 11.70 GiB memory in use. Of the allocated memory 10.00 GiB is allocated by PyTorch, and 512.00 MiB is reserved by PyTorch but unallocated.",
            &[
                (N::RequestedBytes, gib(1.5)),
                (N::TotalBytes, gib(11.76)),
                (N::FreeBytes, mib(19.12)),
                (N::AllocatedBytes, gib(10.0)),
                (N::ReservedBytes, gib(10.5)),
            ],
        );
        check(
            F::OutOfMemory,
            "CUDA out of memory. Tried to allocate 512.00 KiB (GPU 1; 7.93 GiB total capacity; 6.10 GiB already allocated; 3.25 MiB free; 120.00 MiB cached)",
            &[
                (N::RequestedBytes, 512 * 1024),
                (N::TotalBytes, gib(7.93)),
                (N::FreeBytes, mib(3.25)),
                (N::AllocatedBytes, gib(6.1)),
                (N::ReservedBytes, mib(120.0)),
            ],
        );
        check(F::OutOfMemory, "CUDA error: out of memory", &[]);
    }

    #[test]
    fn values_sizes_and_processes() {
        check(
            F::CpuTarget,
            "IndexError: Target -1 is out of bounds.",
            &[(N::Value, -1)],
        );
        check(
            F::CpuGather,
            "RuntimeError: index 4 is out of bounds for dimension 1 with size 4",
            &[(N::Value, 4), (N::Size, 4)],
        );
        check(
            F::CpuIndex,
            "IndexError: out of range: tried to access index 5 on a tensor of 3 elements.",
            &[(N::Value, 5), (N::Size, 3)],
        );
        check(
            F::CpuEmbedding,
            "RuntimeError: index out of range: Tried to access index 10 out of table with 9 rows. at x",
            &[(N::Value, 10), (N::Size, 9)],
        );
        check(
            F::CpuEmbedding,
            "RuntimeError: Index 0 of input takes value 10 which is not in the valid range [0, 10)",
            &[(N::Value, 10), (N::Size, 10)],
        );
        check(
            F::Shape,
            "ValueError: Expected input batch_size (60) to match target batch_size (10).",
            &[(N::First, 60), (N::Second, 10)],
        );
        check(
            F::Shape,
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (60x128 and 64x10)",
            &[(N::First, 128), (N::Second, 64)],
        );
        check(
            F::Shape,
            "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1",
            &[(N::First, 3), (N::Second, 4)],
        );
        check(
            F::WorkerExited,
            "RuntimeError: DataLoader worker (pid 77) exited unexpectedly with exit code 1. Details are lost",
            &[(N::Pid, 77), (N::ExitCode, 1)],
        );
        check(
            F::ChildFailed,
            "failed (exitcode: -6) local_rank: 0 (pid: 31065) of binary: python",
            &[(N::Pid, 31065), (N::ExitCode, -6)],
        );
    }
}
