//! Threads for reading beside the GPU.
//!
//! Not rayon's: the GPU is held by one array at a time, and a thread of rayon's that waits for its helpers may take up another
//! file's work in the meantime, which would wait for the GPU on top of the one that holds it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Threads at most; reading faster than a bus uploads gains nothing.
const MOST_THREADS: usize = 8;

/// Does `work` for each item, several at once; results in the order of the items. After an error nothing new is begun.
pub(super) fn map<T: Send, R: Send, E: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let threads = thread::available_parallelism().map_or(1, |n| n.get().min(MOST_THREADS));
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.into_iter().map(work).collect();
    }
    let count = items.len();
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|i| Mutex::new(Some(i))).collect();
    let results: Vec<Mutex<Option<Result<R, E>>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let (Some(item), Some(result)) = (items.get(at), results.get(at)) else {
                return;
            };
            let item = item.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(item) = item else { return };
            let done = work(item);
            if done.is_err() {
                next.store(count, Ordering::Relaxed);
            }
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    results
        .into_iter()
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}
