//! A sink that keeps everything: for tests and for small files.

use std::collections::BTreeMap;

use super::{Place, Places, Region, Sink, Stream, StreamId, Trouble};
use crate::range_check::{Number, Values};

/// Everything that a reader told.
#[derive(Debug, Default)]
pub struct Collected {
    /// Streams in the order of their beginning.
    pub streams: Vec<CollectedStream>,
    /// Troubles in order.
    pub troubles: Vec<Trouble>,
}

/// One stream with all its values.
#[derive(Debug, Default)]
pub struct CollectedStream {
    /// What it is.
    pub stream: Stream,
    /// Values by index, each with its place and row.
    pub values: BTreeMap<u64, (Number, Place, Option<String>)>,
    /// Regions that the listener would read.
    pub regions: Vec<Region>,
    /// Names with their places.
    pub names: Vec<(String, Place)>,
    /// Places without a value.
    pub missing: Vec<Place>,
    /// Whole numbers written as floats.
    pub floats: u64,
    /// Numbers written in an odd way.
    pub odd: u64,
}

impl Collected {
    fn of(&mut self, id: StreamId) -> Option<&mut CollectedStream> {
        self.streams.get_mut(id.0)
    }
}

impl Sink for Collected {
    fn begin(&mut self, stream: Stream) -> StreamId {
        self.streams.push(CollectedStream {
            stream,
            ..CollectedStream::default()
        });
        StreamId(self.streams.len() - 1)
    }

    fn numbers(&mut self, stream: StreamId, values: Values<'_>, places: &dyn Places) {
        if let Some(of) = self.of(stream) {
            for i in 0..values.len() {
                if let Some(value) = values.get(i) {
                    of.values
                        .insert(places.index(i), (value, places.place(i), places.text(i)));
                }
            }
        }
    }

    fn region(&mut self, stream: StreamId, region: Region) {
        if let Some(of) = self.of(stream) {
            of.regions.push(region);
        }
    }

    fn name(&mut self, stream: StreamId, name: &str, place: &dyn Fn() -> Place) {
        if let Some(of) = self.of(stream) {
            of.names.push((name.to_owned(), place()));
        }
    }

    fn missing(&mut self, stream: StreamId, place: &dyn Fn() -> Place) {
        if let Some(of) = self.of(stream) {
            of.missing.push(place());
        }
    }

    fn odd_numbers(&mut self, stream: StreamId, floats: u64, odd: u64) {
        if let Some(of) = self.of(stream) {
            of.floats += floats;
            of.odd += odd;
        }
    }

    fn trouble(&mut self, trouble: Trouble) {
        self.troubles.push(trouble);
    }

    fn read(&mut self, _bytes: u64) {}

    fn stopped(&self) -> bool {
        false
    }
}
