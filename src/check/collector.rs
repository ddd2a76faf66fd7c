//! What one file's reader tells, checked against the rules as it comes.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::rules::{Context, Decision};
use super::{Given, Offender};
use crate::findings::Text;
use crate::inputs::PositionedFile;
use crate::labels::{
    LabelFormat, Place, Places, Region, Sink, Stream, StreamId, Trouble, TroubleKind,
};
use crate::range_check::{self, Blocks, Breach, Checker, Dense, Number, Summary, Values};

/// Names that are counted one by one.
pub(super) const MOST_NAMES: usize = 1 << 16;
/// Troubles of one kind that one file may tell; the rest is only counted by their number.
const MOST_TROUBLES: usize = 10_000;

/// Listens to the reader of one file.
pub(super) struct Collector<'c> {
    pub context: &'c Context,
    pub given: &'c Given,
    /// The folder that the labels lie in.
    pub home: &'c Path,
    pub format: LabelFormat,
    pub cancel: &'c AtomicBool,
    /// The device that checks arrays.
    pub checker: &'c Checker,
    /// Bytes read by all files of the check.
    pub bytes: &'c AtomicU64,
    /// Offenders that are kept.
    pub most_offenders: usize,
    /// Gets every offender at once, in an export.
    pub emit: Option<&'c mut (dyn FnMut(&Offender) + Send)>,
    pub found: FileFound,
    lookups: Vec<Lookup>,
    /// Bytes of this file that were told so far.
    read: u64,
}

/// What a file held.
#[derive(Debug, Default)]
pub(super) struct FileFound {
    pub streams: Vec<StreamFound>,
    pub troubles: Vec<Trouble>,
    /// Offenders in order; `group` is the index of the stream here.
    pub offenders: Vec<Offender>,
    pub offenders_total: u64,
    /// Rows among them that cannot be used: they have no value.
    pub bad_rows: u64,
    /// Label values that have no number (pixels of an unknown colour).
    pub unnumbered: u64,
}

/// What one stream held.
#[derive(Debug)]
pub(super) struct StreamFound {
    pub stream: Stream,
    pub decision: Decision,
    pub summary: Summary,
    /// Where each distinct value stands first.
    pub places: BTreeMap<Number, (Place, Option<String>)>,
    /// Where the first offender of each kind stands.
    pub first: BTreeMap<Breach, (u64, Number, Place, Option<String>)>,
    pub names: BTreeMap<String, (u64, Place)>,
    pub more_names: bool,
    pub name_count: u64,
    pub missing: u64,
    pub first_missing: Option<Place>,
    pub floats: u64,
}

impl StreamFound {
    /// Label values read.
    pub fn values(&self) -> u64 {
        self.summary.count + self.name_count + self.missing
    }
}

#[derive(Debug)]
struct Lookup {
    names: Option<HashSet<String>>,
    ids: Option<HashSet<i128>>,
}

impl<'c> Collector<'c> {
    pub fn new(
        context: &'c Context,
        (given, home): (&'c Given, &'c Path),
        format: LabelFormat,
        (cancel, checker): (&'c AtomicBool, &'c Checker),
        bytes: &'c AtomicU64,
    ) -> Self {
        Self {
            context,
            given,
            home,
            format,
            cancel,
            checker,
            bytes,
            most_offenders: 0,
            emit: None,
            found: FileFound::default(),
            lookups: Vec::new(),
            read: 0,
        }
    }

    /// Gives an export what has no value of its own: an empty cell, a row that cannot be used.
    fn hand_on(
        &mut self,
        group: usize,
        value: String,
        place: &dyn Fn() -> Place,
        row_text: Option<String>,
    ) {
        if let Some(emit) = self.emit.as_deref_mut() {
            emit(&Offender {
                group,
                breach: None,
                value: Text::Name(value),
                place: place(),
                row_text,
            });
        }
    }

    fn offend(&mut self, offender: Offender) {
        offend(
            &mut self.found,
            self.emit.as_deref_mut(),
            self.most_offenders,
            offender,
        );
    }
}

fn offend(
    found: &mut FileFound,
    emit: Option<&mut (dyn FnMut(&Offender) + Send + '_)>,
    most: usize,
    offender: Offender,
) {
    found.offenders_total += 1;
    if let Some(emit) = emit {
        emit(&offender);
    }
    if found.offenders.len() < most {
        found.offenders.push(offender);
    }
}

impl Sink for Collector<'_> {
    fn begin(&mut self, stream: Stream) -> StreamId {
        let decision = self
            .context
            .decide(self.given, self.home, self.format, &stream);
        self.lookups.push(Lookup {
            names: decision.allowed_names(),
            ids: decision.allowed_ids(),
        });
        self.found.streams.push(StreamFound {
            stream,
            decision,
            summary: Summary::default(),
            places: BTreeMap::new(),
            first: BTreeMap::new(),
            names: BTreeMap::new(),
            more_names: false,
            name_count: 0,
            missing: 0,
            first_missing: None,
            floats: 0,
        });
        StreamId(self.found.streams.len() - 1)
    }

    fn numbers(&mut self, id: StreamId, values: Values<'_>, places: &dyn Places) {
        let Some(at) = self.found.streams.get_mut(id.0) else {
            return;
        };
        let mut broken = Vec::new();
        range_check::check(
            &at.decision.rule,
            values,
            &|i| places.index(i),
            &mut at.summary,
            &mut |i, value, breach| broken.push((i, value, breach)),
        );
        note_places(at, values, places);
        for &(i, value, breach) in &broken {
            let index = places.index(i);
            if at.first.get(&breach).is_none_or(|first| index < first.0) {
                at.first
                    .insert(breach, (index, value, places.place(i), places.text(i)));
            }
        }
        let unknown = self
            .lookups
            .get(id.0)
            .and_then(|lookup| lookup.ids.as_ref());
        let strangers: Vec<(usize, Number)> = unknown.map_or_else(Vec::new, |ids| {
            let values = (0..values.len()).filter_map(|i| Some((i, values.get(i)?)));
            values
                .filter(|(_, value)| value.as_int().is_none_or(|id| !ids.contains(&id)))
                // NaN and the like are offenders of the rule already.
                .filter(|(i, _)| broken.binary_search_by_key(i, |b| b.0).is_err())
                .collect()
        });
        let mut all: Vec<(usize, Number, Option<Breach>)> = broken
            .into_iter()
            .map(|(i, value, breach)| (i, value, Some(breach)))
            .chain(strangers.into_iter().map(|(i, value)| (i, value, None)))
            .collect();
        all.sort_by_key(|(i, ..)| *i);
        for (i, value, breach) in all {
            // A place is made only for what is kept or handed on.
            if self.emit.is_none() && self.found.offenders.len() >= self.most_offenders {
                self.found.offenders_total += 1;
                continue;
            }
            self.offend(Offender {
                group: id.0,
                breach,
                value: Text::Number(value),
                place: places.place(i),
                row_text: places.text(i),
            });
        }
    }

    fn region(&mut self, id: StreamId, region: Region) {
        let Some(at) = self.found.streams.get_mut(id.0) else {
            return;
        };
        let Ok(file) = PositionedFile::open(&region.path) else {
            self.found.troubles.push(changed(&region.path));
            return;
        };
        let dense = Dense {
            offset: region.offset,
            element: region.element,
            big_endian: region.big_endian,
            shape: region.shape.clone(),
            strides: region.strides.clone(),
        };
        let (bytes, last, format) = (self.bytes, AtomicU64::new(0), self.format);
        // Several regions may follow each other in one stream (a list of tensors): their indices run on.
        let base = at.summary.count;
        let (found, most) = (&mut self.found.offenders, self.most_offenders);
        let mut emit = self.emit.as_deref_mut();
        let wanted = match &emit {
            Some(_) => u64::MAX,
            None => most.saturating_sub(found.len()) as u64,
        };
        let checked = self.checker.check_dense(
            &at.decision.rule,
            &dense,
            &FileBlocks(&file),
            self.cancel,
            &|read| {
                // Threads report out of order; only what is new counts.
                let before = last.fetch_max(read, Ordering::Relaxed);
                bytes.fetch_add(read.saturating_sub(before), Ordering::Relaxed);
            },
            wanted,
            &mut |(index, value, breach)| {
                let offender = Offender {
                    group: id.0,
                    breach: Some(breach),
                    value: Text::Number(value),
                    place: place_in(&region, format, index),
                    row_text: None,
                };
                if let Some(emit) = &mut emit {
                    emit(&offender);
                }
                if found.len() < most {
                    found.push(offender);
                }
            },
        );
        match checked {
            Ok(summary) => {
                let breaches = &summary.breaches;
                self.found.offenders_total +=
                    breaches.values().map(|(count, _)| count).sum::<u64>();
                for (value, seen) in &summary.distinct {
                    at.places
                        .entry(*value)
                        .or_insert_with(|| (place_in(&region, format, seen.first), None));
                }
                for (breach, (_, firsts)) in breaches {
                    if let Some(&(index, value)) = firsts.first() {
                        at.first.entry(*breach).or_insert_with(|| {
                            (base + index, value, place_in(&region, format, index), None)
                        });
                    }
                }
                at.summary.merge(shifted(summary, base));
            }
            Err(_) => self.found.troubles.push(changed(&region.path)),
        }
    }

    fn name(&mut self, id: StreamId, name: &str, place: &dyn Fn() -> Place) {
        let Some(at) = self.found.streams.get_mut(id.0) else {
            return;
        };
        at.name_count += 1;
        if let Some((count, _)) = at.names.get_mut(name) {
            *count += 1;
        } else if at.names.len() < MOST_NAMES {
            at.names.insert(name.to_owned(), (1, place()));
        } else {
            at.more_names = true;
        }
        let known = self
            .lookups
            .get(id.0)
            .and_then(|lookup| lookup.names.as_ref());
        if known.is_some_and(|known| !known.contains(name)) {
            self.offend(Offender {
                group: id.0,
                breach: None,
                value: Text::Name(name.to_owned()),
                place: place(),
                row_text: None,
            });
        }
    }

    fn missing(&mut self, id: StreamId, place: &dyn Fn() -> Place) {
        if let Some(at) = self.found.streams.get_mut(id.0) {
            at.missing += 1;
            if at.first_missing.is_none() {
                at.first_missing = Some(place());
            }
        }
        self.hand_on(id.0, String::new(), place, None);
    }

    fn odd_numbers(&mut self, id: StreamId, floats: u64, _odd: u64) {
        if let Some(at) = self.found.streams.get_mut(id.0) {
            at.floats += floats;
        }
    }

    fn trouble(&mut self, trouble: Trouble) {
        match &trouble.kind {
            // A row that cannot be used is an offender, too, though it has no value.
            TroubleKind::BadBox(said) | TroubleKind::BadLine(said) => {
                self.found.offenders_total += 1;
                self.found.bad_rows += 1;
                let text = trouble.text.clone();
                self.hand_on(0, said.clone(), &|| trouble.place.clone(), text);
            }
            TroubleKind::UnknownColour { pixels, .. } => {
                self.found.unnumbered += pixels;
                self.found.offenders_total += pixels;
            }
            _ => {}
        }
        if self.found.troubles.len() < MOST_TROUBLES {
            self.found.troubles.push(trouble);
        }
    }

    fn read(&mut self, bytes: u64) {
        let more = bytes.saturating_sub(self.read);
        self.read += more;
        self.bytes.fetch_add(more, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Notes where values stand that this block showed for the first time.
fn note_places(at: &mut StreamFound, values: Values<'_>, places: &dyn Places) {
    let length = values.len();
    if at.summary.distinct.len() <= at.places.len() {
        return;
    }
    // Blocks may be far smaller than what is known already: a class folder with one picture after the other.
    if length < at.summary.distinct.len() {
        for i in 0..length {
            let Some(value) = values.get(i).filter(|value| !at.places.contains_key(value)) else {
                continue;
            };
            let seen = at.summary.distinct.get(&value);
            if seen.is_some_and(|seen| seen.first == places.index(i)) {
                at.places.insert(value, (places.place(i), places.text(i)));
            }
        }
        return;
    }
    let start = if length == 0 { 0 } else { places.index(0) };
    for (value, seen) in &at.summary.distinct {
        if at.places.contains_key(value) {
            continue;
        }
        let straight = seen.first.checked_sub(start).map(|i| i as usize);
        let i = straight
            .filter(|&i| i < length && places.index(i) == seen.first)
            .or_else(|| (0..length).find(|&i| places.index(i) == seen.first));
        if let Some(i) = i {
            at.places.insert(*value, (places.place(i), places.text(i)));
        }
    }
}

/// The same summary with its indices moved.
fn shifted(mut summary: Summary, by: u64) -> Summary {
    for seen in summary.distinct.values_mut() {
        seen.first += by;
    }
    for (_, firsts) in summary.breaches.values_mut() {
        for (index, _) in firsts {
            *index += by;
        }
    }
    summary
}

/// Where the element with a C-order index stands.
fn place_in(region: &Region, format: LabelFormat, index: u64) -> Place {
    let mut place = region.common.clone();
    let mut rest = index;
    let mut whole = vec![0; region.shape.len()];
    for (at, length) in whole.iter_mut().zip(&region.shape).rev() {
        *at = rest % (*length).max(1);
        rest /= (*length).max(1);
    }
    place.row = place.row.or(whole.first().copied());
    if whole.len() > 1 {
        place.index = Some(whole);
    }
    if format == LabelFormat::Tokens {
        place.position = place.row;
    }
    place
}

fn changed(path: &Arc<Path>) -> Trouble {
    Trouble {
        kind: TroubleKind::Changed,
        place: Place::file(Arc::clone(path)),
        text: None,
    }
}

struct FileBlocks<'f>(&'f PositionedFile);

impl Blocks for FileBlocks<'_> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.0.read_exact_at(offset, buffer)
    }
}
