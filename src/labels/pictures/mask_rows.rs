//! From the bytes of a mask's rows to class numbers with their pixels.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use png::{BitDepth, ColorType};

use super::mask::bits;
use crate::labels::{Limit, Place, Places, Sink, StreamId, Trouble, TroubleKind};
use crate::range_check::{ElementType, Values};

/// Pixels given at once.
const BLOCK: usize = 1 << 16;
/// Unknown colours that are counted one by one; a photograph has more.
const MOST_UNKNOWN: usize = 4096;
/// Unknown colours that are told one by one.
const MOST_TOLD: usize = 64;

/// How the samples of a row lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    samples: u64,
    bits: u64,
}

impl Layout {
    pub fn new(colour: ColorType, depth: BitDepth) -> Self {
        Self {
            samples: colour.samples() as u64,
            bits: bits(depth),
        }
    }

    /// Three channels and more.
    pub fn is_colour(self) -> bool {
        self.samples >= 3
    }

    /// More than a byte a sample.
    pub fn is_wide(self) -> bool {
        self.bits == 16
    }

    /// Bytes of a row of so many pixels.
    pub fn row_bytes(self, width: u32) -> u64 {
        (u64::from(width) * self.samples * self.bits).div_ceil(8)
    }

    /// Bytes of a pixel; 1 for several pixels in a byte.
    fn pixel_bytes(self) -> usize {
        (self.samples * self.bits).div_ceil(8) as usize
    }

    /// Bytes of a sample.
    fn sample_bytes(self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    fn pixels(self, row: &[u8], width: u32) -> impl Iterator<Item = &[u8]> {
        row.chunks_exact(self.pixel_bytes()).take(width as usize)
    }

    /// Whether red, green and blue are the same in the whole row.
    pub fn is_grey(self, row: &[u8], width: u32) -> bool {
        let one = self.sample_bytes();
        self.pixels(row, width).all(|pixel| {
            pixel.get(..one) == pixel.get(one..2 * one)
                && pixel.get(..one) == pixel.get(2 * one..3 * one)
        })
    }

    /// The upper bytes of red, green and blue; 16-bit pictures repeat or zero the lower ones.
    fn colour(self, pixel: &[u8]) -> [u8; 3] {
        let one = self.sample_bytes();
        [0, one, 2 * one].map(|at| pixel.get(at).copied().unwrap_or_default())
    }
}

/// Class numbers by colour.
pub(super) struct Colours {
    numbers: HashMap<[u8; 3], u16>,
}

impl Colours {
    pub fn new(listed: &[([u8; 3], String)]) -> Self {
        let mut numbers = HashMap::new();
        for ((colour, _), number) in listed.iter().zip(0..=u16::MAX) {
            numbers.entry(*colour).or_insert(number);
        }
        Self { numbers }
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// One more than the largest number.
    pub fn len(&self) -> usize {
        self.numbers
            .values()
            .max()
            .map_or(0, |&most| usize::from(most) + 1)
    }

    pub fn hold_all(&self, row: &[u8], layout: Layout, width: u32) -> bool {
        let mut last = None;
        layout.pixels(row, width).all(|pixel| {
            let colour = layout.colour(pixel);
            let known = last == Some(colour) || self.numbers.contains_key(&colour);
            last = Some(colour);
            known
        })
    }
}

/// How the classes of a picture are painted.
pub(super) enum Painted {
    /// Grey value or palette index.
    Plain,
    /// A colour a class.
    Coloured(Colours),
}

/// Gathers class numbers and gives them in blocks.
pub(super) struct Emitter<'a> {
    path: &'a Arc<Path>,
    stream: StreamId,
    layout: Layout,
    width: u32,
    painted: Painted,
    element: ElementType,
    narrow: Vec<u8>,
    wide: Vec<u16>,
    /// Rank of the pixel with which the block begins.
    first: u64,
    /// Ranks of the block's pixels, kept from the first one on that is left out.
    ranks: Option<Vec<u64>>,
    used: [bool; 256],
    last: Option<([u8; 3], Option<u16>)>,
    unknown: BTreeMap<[u8; 3], (u64, u64)>,
    /// Pixels of unknown colours beyond those that are counted one by one.
    more_unknown: u64,
}

impl<'a> Emitter<'a> {
    pub fn new(
        path: &'a Arc<Path>,
        stream: StreamId,
        layout: Layout,
        width: u32,
        painted: Painted,
        element: ElementType,
    ) -> Self {
        Self {
            path,
            stream,
            layout,
            width,
            painted,
            element,
            narrow: Vec::new(),
            wide: Vec::new(),
            first: 0,
            ranks: None,
            used: [false; 256],
            last: None,
            unknown: BTreeMap::new(),
            more_unknown: 0,
        }
    }

    /// Whether a palette index occurs.
    pub fn uses(&self, index: u8) -> bool {
        self.used
            .get(usize::from(index))
            .copied()
            .unwrap_or_default()
    }

    /// Takes row `y` of the picture.
    pub fn row(&mut self, row: &[u8], y: u32, sink: &mut dyn Sink) {
        let begins = u64::from(y) * u64::from(self.width);
        // A row may be wider than a block.
        let step = BLOCK / 8 * 8;
        let width = self.width as usize;
        let mut x = 0;
        while x < width {
            let count = step.min(width - x);
            let start = (x as u64 * self.layout.samples * self.layout.bits / 8) as usize;
            let part = row.get(start..).unwrap_or_default();
            self.part(part, count as u32, begins + x as u64);
            x += count;
            if self.len() >= BLOCK {
                self.flush(sink);
            }
        }
    }

    fn len(&self) -> usize {
        self.narrow.len() + self.wide.len()
    }

    fn part(&mut self, row: &[u8], count: u32, begins: u64) {
        if self.len() == 0 {
            self.first = begins;
            self.ranks = None;
        }
        if let Painted::Coloured(_) = self.painted {
            self.coloured(row, count, begins);
            return;
        }
        let before = self.narrow.len();
        match self.layout {
            Layout {
                samples: 1,
                bits: 8,
            } => {
                let row = row.get(..count as usize).unwrap_or(row);
                self.narrow.extend_from_slice(row);
            }
            Layout {
                samples: 1,
                bits: bits @ (1 | 2 | 4),
            } => {
                let each = 8 / bits;
                let mask = (1_u16 << bits) as u8;
                let mask = mask.wrapping_sub(1);
                let samples = row.iter().flat_map(|&byte| {
                    (0..each).map(move |at| (byte >> (8 - bits * (at + 1))) & mask)
                });
                self.narrow.extend(samples.take(count as usize));
            }
            layout if layout.is_wide() => {
                let samples = layout.pixels(row, count).map(|pixel| match pixel {
                    [high, low, ..] => u16::from_be_bytes([*high, *low]),
                    _ => 0,
                });
                self.wide.extend(samples);
            }
            layout => {
                let samples = layout
                    .pixels(row, count)
                    .map(|pixel| pixel.first().copied().unwrap_or_default());
                self.narrow.extend(samples);
            }
        }
        for &index in self.narrow.get(before..).unwrap_or_default() {
            if let Some(used) = self.used.get_mut(usize::from(index)) {
                *used = true;
            }
        }
    }

    fn coloured(&mut self, row: &[u8], count: u32, begins: u64) {
        let Painted::Coloured(colours) = &self.painted else {
            return;
        };
        for (pixel, rank) in self.layout.pixels(row, count).zip(begins..) {
            let colour = self.layout.colour(pixel);
            let number = match self.last {
                Some((last, number)) if last == colour => number,
                _ => colours.numbers.get(&colour).copied(),
            };
            self.last = Some((colour, number));
            let len = self.narrow.len() + self.wide.len();
            let Some(number) = number else {
                let first = self.first;
                self.ranks
                    .get_or_insert_with(|| (0..len as u64).map(|at| first + at).collect());
                let room = self.unknown.len() < MOST_UNKNOWN;
                if let Some((pixels, _)) = self.unknown.get_mut(&colour) {
                    *pixels += 1;
                } else if room {
                    self.unknown.insert(colour, (1, rank));
                } else {
                    self.more_unknown += 1;
                }
                continue;
            };
            if let Some(ranks) = &mut self.ranks {
                ranks.push(rank);
            }
            if self.element == ElementType::U16 {
                self.wide.push(number);
            } else {
                self.narrow.push(number as u8);
            }
        }
    }

    fn flush(&mut self, sink: &mut dyn Sink) {
        if self.len() == 0 {
            return;
        }
        let places = PixelPlaces {
            path: self.path,
            width: u64::from(self.width.max(1)),
            first: self.first,
            ranks: self.ranks.as_deref(),
        };
        let values = if self.element == ElementType::U16 {
            Values::U16(&self.wide)
        } else {
            Values::U8(&self.narrow)
        };
        sink.numbers(self.stream, values, &places);
        self.narrow.clear();
        self.wide.clear();
        self.ranks = None;
    }

    /// Gives what is left, and tells the colours that the list lacks in the order in which they appear.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        self.flush(sink);
        let width = u64::from(self.width.max(1));
        let mut unknown: Vec<_> = self.unknown.iter().collect();
        unknown.sort_by_key(|(_, (_, first))| *first);
        let mut left = self.more_unknown;
        for (at, ([r, g, b], (pixels, first))) in unknown.into_iter().enumerate() {
            if at >= MOST_TOLD {
                left += pixels;
                continue;
            }
            sink.trouble(Trouble {
                kind: TroubleKind::UnknownColour {
                    colour: format!("{r},{g},{b}"),
                    pixels: *pixels,
                },
                place: pixel_place(self.path, *first, width),
                text: None,
            });
        }
        if left > 0 {
            sink.trouble(Trouble {
                kind: TroubleKind::Limit(Limit::NotAllTold),
                place: Place::file(Arc::clone(self.path)),
                text: None,
            });
        }
    }
}

fn pixel_place(path: &Arc<Path>, rank: u64, width: u64) -> Place {
    Place {
        pixel: Some([rank % width, rank / width]),
        ..Place::file(Arc::clone(path))
    }
}

struct PixelPlaces<'a> {
    path: &'a Arc<Path>,
    width: u64,
    first: u64,
    ranks: Option<&'a [u64]>,
}

impl Places for PixelPlaces<'_> {
    fn index(&self, i: usize) -> u64 {
        match self.ranks {
            Some(ranks) => ranks.get(i).copied().unwrap_or_default(),
            None => self.first + i as u64,
        }
    }

    fn place(&self, i: usize) -> Place {
        pixel_place(self.path, self.index(i), self.width)
    }
}
