//! Values on their way to the sink: kept in batches, places made only where one is asked for.

use std::sync::Arc;

use super::super::{
    ClassList, Limit, Place, Places, Role, Sink, Stream, StreamId, Trouble, TroubleKind,
};
use super::cells::{self, Cell, Form};
use super::text::{cut, shown, to_text};
use crate::range_check::{Number, Values};

/// Values sent at a time.
const BATCH: usize = 4096;

/// Where one value stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot<'a> {
    /// Physical line from 1.
    pub line: Option<u64>,
    /// Record from 0.
    pub row: Option<u64>,
    /// Position inside the record's list.
    pub position: Option<u64>,
    /// Key of its own.
    pub key: Option<&'a Arc<str>>,
    /// The row as it stands.
    pub text: &'a [u8],
}

/// Where one value of a batch stands.
#[derive(Clone, Copy, Debug)]
struct At {
    line: Option<u64>,
    row: Option<u64>,
    position: Option<u64>,
    key: Option<u32>,
    text: (u32, u32),
}

/// One stream of a text file.
pub(super) struct Writer {
    id: StreamId,
    batch: Batch,
    values: Vec<Number>,
    floats: u64,
    odd: u64,
    lost: bool,
    count: u64,
}

struct Batch {
    common: Place,
    first: u64,
    at: Vec<At>,
    keys: Vec<Arc<str>>,
    texts: Vec<u8>,
}

/// What is known of a stream before its values are.
#[derive(Clone, Debug, Default)]
pub(super) struct Begin {
    /// Header name or number.
    pub column: Option<Arc<str>>,
    /// JSON key.
    pub key: Option<Arc<str>>,
    /// What the values are used as.
    pub role: Option<Role>,
    /// The file's own class list.
    pub classes: Option<Arc<ClassList>>,
    /// Columns of a one-hot table.
    pub one_hot: Option<u64>,
    /// No name tells that these are labels.
    pub guessed: bool,
}

impl Writer {
    /// Begins a stream.
    pub fn begin(sink: &mut dyn Sink, place: &Place, what: Begin) -> Self {
        let common = Place {
            column: what.column.clone(),
            key: what.key.clone(),
            ..place.clone()
        };
        let id = sink.begin(Stream {
            column: what.column,
            key: what.key,
            role: what.role,
            classes: what.classes,
            one_hot: what.one_hot,
            guessed: what.guessed,
            ..Stream::default()
        });
        Self {
            id,
            batch: Batch {
                common,
                first: 0,
                at: Vec::new(),
                keys: Vec::new(),
                texts: Vec::new(),
            },
            values: Vec::new(),
            floats: 0,
            odd: 0,
            lost: false,
            count: 0,
        }
    }

    /// Values, names and missing ones so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The place of a spot.
    pub fn place(&self, spot: Spot<'_>) -> Place {
        let mut place = self.batch.common.clone();
        place.line = spot.line;
        place.row = spot.row;
        place.position = spot.position;
        if let Some(key) = spot.key {
            place.key = Some(Arc::clone(key));
        }
        place
    }

    /// Whatever a cell holds.
    pub fn cell(&mut self, sink: &mut dyn Sink, cell: &Cell<'_>, spot: Spot<'_>) {
        match *cell {
            Cell::Number(value, form) => self.number(sink, value, form, spot),
            Cell::Name(name) => self.name(sink, &to_text(name), spot),
            Cell::Missing => self.missing(sink, spot),
        }
    }

    /// A number.
    pub fn number(&mut self, sink: &mut dyn Sink, value: Number, form: Form, spot: Spot<'_>) {
        match form {
            Form::Plain => {}
            Form::Float => self.floats += 1,
            Form::Odd => self.odd += 1,
        }
        if !self.lost && cells::lost_digits(value, form) {
            self.lost = true;
            sink.trouble(Trouble {
                kind: TroubleKind::LostDigits(value.to_string()),
                place: self.place(spot),
                text: (!spot.text.is_empty()).then(|| shown(cut(spot.text))),
            });
        }
        self.count += 1;
        self.values.push(value);
        self.batch.push(spot);
        if self.values.len() >= BATCH {
            self.flush(sink);
        }
    }

    /// A label that is a name.
    pub fn name(&mut self, sink: &mut dyn Sink, name: &str, spot: Spot<'_>) {
        self.count += 1;
        sink.name(self.id, name, &|| self.place(spot));
    }

    /// A label that is not there.
    pub fn missing(&mut self, sink: &mut dyn Sink, spot: Spot<'_>) {
        self.count += 1;
        sink.missing(self.id, &|| self.place(spot));
    }

    /// Sends what waits.
    pub fn flush(&mut self, sink: &mut dyn Sink) {
        if !self.values.is_empty() {
            sink.numbers(self.id, Values::Numbers(&self.values), &self.batch);
            self.batch.next(self.values.len() as u64);
            self.values.clear();
        }
        if self.floats > 0 || self.odd > 0 {
            sink.odd_numbers(self.id, self.floats, self.odd);
            (self.floats, self.odd) = (0, 0);
        }
    }
}

impl Batch {
    fn push(&mut self, spot: Spot<'_>) {
        let before = self.at.last();
        let key = spot.key.map(|key| {
            if self.keys.last().is_none_or(|last| !Arc::ptr_eq(last, key)) {
                self.keys.push(Arc::clone(key));
            }
            self.keys.len() as u32 - 1
        });
        let text = match before {
            // Several values of one row share its text.
            Some(at) if at.row == spot.row && at.line == spot.line && spot.row.is_some() => at.text,
            _ if spot.text.is_empty() => (0, 0),
            _ => {
                let from = self.texts.len() as u32;
                self.texts.extend_from_slice(cut(spot.text));
                (from, self.texts.len() as u32)
            }
        };
        self.at.push(At {
            line: spot.line,
            row: spot.row,
            position: spot.position,
            key,
            text,
        });
    }

    fn next(&mut self, sent: u64) {
        self.first += sent;
        self.at.clear();
        self.keys.clear();
        self.texts.clear();
    }
}

impl Places for Batch {
    fn index(&self, i: usize) -> u64 {
        self.first + i as u64
    }

    fn place(&self, i: usize) -> Place {
        let mut place = self.common.clone();
        if let Some(at) = self.at.get(i) {
            place.line = at.line;
            place.row = at.row;
            place.position = at.position;
            if let Some(key) = at.key.and_then(|k| self.keys.get(k as usize)) {
                place.key = Some(Arc::clone(key));
            }
        }
        place
    }

    fn text(&self, i: usize) -> Option<String> {
        let (from, to) = self.at.get(i)?.text;
        let bytes = self.texts.get(from as usize..to as usize)?;
        (!bytes.is_empty()).then(|| shown(bytes))
    }
}

/// Troubles of one kind that one file tells; more say nothing new, and a hostile file has millions.
const MOST_TROUBLES: u32 = 10_000;

/// Tells troubles up to a limit.
pub(super) struct Troubles {
    place: Place,
    left: u32,
}

impl Troubles {
    /// Troubles of a file.
    pub fn new(place: &Place) -> Self {
        Self {
            place: place.clone(),
            left: MOST_TROUBLES,
        }
    }

    /// Tells the encoding that a text was converted from, where it stood nowhere.
    pub fn encoding(&mut self, sink: &mut dyn Sink, name: Option<&'static str>) {
        if let Some(name) = name {
            self.tell(sink, TroubleKind::OtherEncoding(name), Spot::default());
        }
    }

    /// Tells one; `false` once there were too many.
    pub fn tell(&mut self, sink: &mut dyn Sink, kind: TroubleKind, spot: Spot<'_>) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let kind = if left == 0 {
            TroubleKind::Limit(Limit::Troubles)
        } else {
            kind
        };
        sink.trouble(Trouble {
            kind,
            place: Place {
                line: spot.line,
                row: spot.row,
                position: spot.position,
                key: spot.key.map(Arc::clone),
                ..self.place.clone()
            },
            text: (!spot.text.is_empty()).then(|| shown(cut(spot.text))),
        });
        left > 0
    }
}
