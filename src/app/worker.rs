//! The threads that do jobs.

use std::sync::Arc;

use super::{Event, Job};

/// Does jobs on its own threads and hands their events over.
pub struct Worker {}

impl Worker {
    /// A worker that calls `wake` after each event it has sent.
    pub fn new(_wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {}
    }

    /// Starts a job.
    pub fn start(&self, _job: Job) {}

    /// The next event, if one has come.
    pub fn try_event(&self) -> Option<Event> {
        None
    }
}
