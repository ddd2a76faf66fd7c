//! The memory of the GPU over the time of a run, thinned to what a small chart can show.

use crate::rerun::MemorySample;

/// Points held; when they are too many, of every two neighbours the higher stays.
const MOST: usize = 2_000;

/// One point of the strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripPoint {
    /// Milliseconds since the run was started.
    pub ms: u64,
    /// Bytes that PyTorch has taken from the driver.
    pub bytes: u64,
}

/// The strip under the tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// Memory over time.
    pub points: Vec<StripPoint>,
    /// Where the chart ends at the top, in bytes: the card's whole memory, or what was most in use.
    pub top: u64,
    /// What is written at the top ("total 12.0 GiB"); empty where the whole is not known.
    pub top_text: String,
    /// Where the chart ends at the right, in milliseconds.
    pub end_ms: u64,
    /// When the first run died, where that is known and in the chart.
    pub died_at: Option<u64>,
    /// What is written there.
    pub died_text: String,
    /// What a screen reader says of it.
    pub name: String,
}

/// The samples of a run.
#[derive(Debug, Default)]
pub(in crate::app) struct Samples {
    points: Vec<StripPoint>,
    /// Samples that go into one point.
    stride: usize,
    pending: Vec<StripPoint>,
    pub newest: Option<MemorySample>,
    pub peak: u64,
    pub total: Option<u64>,
}

impl Samples {
    pub fn take(&mut self, samples: &[MemorySample]) {
        for sample in samples {
            let Some(bytes) = sample.reserved.or(sample.allocated) else {
                continue;
            };
            self.peak = self.peak.max(bytes).max(sample.peak.unwrap_or(0));
            self.total = sample.total.or(self.total);
            self.newest = Some(sample.clone());
            let ms = sample.t_ms;
            self.pending.push(StripPoint { ms, bytes });
            if self.pending.len() >= self.stride.max(1)
                && let Some(point) = highest(&self.pending)
            {
                self.points.push(point);
                self.pending.clear();
            }
            if self.points.len() > MOST {
                self.points = self.points.chunks(2).filter_map(highest).collect();
                self.stride = self.stride.max(1) * 2;
            }
        }
    }

    pub fn points(&self) -> Vec<StripPoint> {
        let mut points = self.points.clone();
        points.extend(self.pending.last());
        points
    }
}

fn highest(points: &[StripPoint]) -> Option<StripPoint> {
    points.iter().copied().max_by_key(|point| point.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_thinned_and_the_peak_stays() {
        let mut samples = Samples::default();
        for ms in 0..50_000u64 {
            let bytes = if ms == 31_234 { 9_000 } else { ms % 7 };
            samples.take(&[MemorySample {
                t_ms: ms,
                reserved: Some(bytes),
                total: Some(10_000),
                ..MemorySample::default()
            }]);
        }
        let points = samples.points();
        assert!(points.len() <= MOST + 1, "{}", points.len());
        assert!(points.iter().any(|point| point.bytes == 9_000));
        assert_eq!((samples.peak, samples.total), (9_000, Some(10_000)));
        assert!(points.is_sorted_by_key(|point| point.ms));
    }
}
