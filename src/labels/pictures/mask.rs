//! PNG masks: the class of a pixel is its palette index or its grey value; a colour needs a list of colours.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _};
use std::path::Path;
use std::sync::Arc;

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Reader, Transformations};

use super::mask_rows::{Colours, Emitter, Layout, Painted};
use crate::labels::{LabelError, Place, Role, Sink, Stream, Trouble, TroubleKind, Wanted, file};
use crate::range_check::ElementType;

/// Bytes that the decoder may hold, one row of the picture among them.
const MOST_ROW_BYTES: usize = 256 << 20;
/// An interlaced picture is put together in memory.
const MOST_INTERLACED: u64 = 64 << 20;
/// Deflate packs no tighter than 1032 to 1.
const BEST_RATIO: u64 = 1032;

type Picture = Reader<BufReader<File>>;

pub(super) fn read(
    path: &Arc<Path>,
    wanted: &Wanted,
    sink: &mut dyn Sink,
) -> Result<(), LabelError> {
    let (mut picture, header) = open(path)?;
    let layout = if header.layout.is_colour() {
        let colours = Colours::new(&wanted.colours);
        match judge(&mut picture, &header, &colours, sink)? {
            Judged::Stopped => return Ok(()),
            Judged::Grey => Painted::Plain,
            Judged::Coloured if colours.is_empty() => return Err(LabelError::NoColourList),
            Judged::Coloured => Painted::Coloured(colours),
        }
    } else {
        Painted::Plain
    };
    if header.layout.is_colour() {
        // The first reading told what the picture is.
        picture = open(path)?.0;
    }
    let element = match &layout {
        Painted::Plain if header.layout.is_wide() => ElementType::U16,
        Painted::Coloured(colours) if colours.len() > 256 => ElementType::U16,
        _ => ElementType::U8,
    };
    let stream = sink.begin(Stream {
        role: Some(Role::Class),
        element: Some(element),
        shape: vec![u64::from(header.height), u64::from(header.width)],
        ..Stream::default()
    });
    let mut emitter = Emitter::new(path, stream, header.layout, header.width, layout, element);
    let ended = rows(&mut picture, &header, &mut |row, y| {
        if y % 64 == 0 && sink.stopped() {
            return false;
        }
        emitter.row(row, y, sink);
        true
    });
    emitter.finish(sink);
    match ended {
        Ended::Whole => {}
        Ended::Stopped => return Ok(()),
        Ended::Broken { rows: 0, error } => return Err(error),
        Ended::Broken { rows, .. } => sink.trouble(Trouble {
            kind: TroubleKind::CutShort {
                read: u64::from(rows) * u64::from(header.width),
                of: header.pixels(),
            },
            place: Place::file(Arc::clone(path)),
            text: None,
        }),
    }
    tell_luminance(path, &picture, &emitter, sink);
    sink.read(header.bytes);
    Ok(())
}

/// What the header announces, checked against the size of the file.
struct Header {
    width: u32,
    height: u32,
    layout: Layout,
    interlaced: bool,
    /// Size of the file.
    bytes: u64,
}

impl Header {
    fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Bytes of all rows, unpacked.
    fn unpacked(&self) -> u64 {
        let row = self.layout.row_bytes(self.width) + 1;
        row.saturating_mul(u64::from(self.height))
    }

    fn check(&self) -> Result<(), LabelError> {
        let unpacked = self.unpacked();
        if unpacked / BEST_RATIO > self.bytes {
            return Err(LabelError::CutShort {
                read: 0,
                of: self.pixels(),
            });
        }
        file::check_ratio(self.bytes, unpacked).map_err(|error| file::read_error(&error))?;
        if self.interlaced && self.pixels() > MOST_INTERLACED {
            return Err(LabelError::TooLarge {
                size: self.pixels(),
                limit: MOST_INTERLACED,
            });
        }
        Ok(())
    }
}

fn open(path: &Arc<Path>) -> Result<(Picture, Header), LabelError> {
    let (mut file, bytes) = file::open(path)?;
    let mut head = Vec::new();
    file.by_ref().take(12).read_to_end(&mut head)?;
    check_magic(path, &head)?;
    file.rewind()?;
    let mut decoder = Decoder::new_with_limits(
        BufReader::with_capacity(1 << 16, file),
        Limits {
            bytes: MOST_ROW_BYTES,
        },
    );
    decoder.set_transformations(Transformations::IDENTITY);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let info = decoder.read_header_info().map_err(|e| error(&e, 0))?;
    let header = Header {
        width: info.width,
        height: info.height,
        layout: Layout::new(info.color_type, info.bit_depth),
        interlaced: info.interlaced,
        bytes,
    };
    // Before the decoder makes room for a row.
    header.check()?;
    let picture = decoder
        .read_info()
        .map_err(|e| error(&e, header.pixels()))?;
    Ok((picture, header))
}

/// Only PNG keeps what was painted, and is read.
fn check_magic(path: &Path, head: &[u8]) -> Result<(), LabelError> {
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Ok(());
    }
    Err(
        other_picture(head).unwrap_or_else(|| match path.extension() {
            _ if head.is_empty() => LabelError::Input(crate::inputs::InputError::Empty),
            Some(extension) if extension.eq_ignore_ascii_case("png") => LabelError::Malformed {
                said: "no PNG signature".to_owned(),
                line: None,
                byte: Some(0),
            },
            _ => LabelError::Unknown,
        }),
    )
}

/// Why a picture that is no PNG is not read as a mask, by its first bytes; `None` for what is no picture.
pub(crate) fn other_picture(head: &[u8]) -> Option<LabelError> {
    Some(if head.starts_with(b"\xff\xd8\xff") {
        LabelError::JpegMask
    } else if head.starts_with(b"GIF8") {
        LabelError::LaterFormat("GIF")
    } else if head.starts_with(b"II*\0") || head.starts_with(b"MM\0*") {
        LabelError::LaterFormat("TIFF")
    } else if head.starts_with(b"BM") && head.get(6..10) == Some(&[0; 4]) {
        LabelError::LaterFormat("BMP")
    } else if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        LabelError::LaterFormat("WebP")
    } else {
        return None;
    })
}

fn error(error: &DecodingError, pixels: u64) -> LabelError {
    match error {
        DecodingError::IoError(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            LabelError::CutShort {
                read: 0,
                of: pixels,
            }
        }
        DecodingError::IoError(e) => file::read_error(e),
        DecodingError::LimitsExceeded => LabelError::TooDeep,
        DecodingError::Format(_) | DecodingError::Parameter(_) => LabelError::Malformed {
            said: error.to_string().chars().take(300).collect(),
            line: None,
            byte: None,
        },
    }
}

enum Ended {
    Whole,
    Stopped,
    Broken { rows: u32, error: LabelError },
}

/// Gives the rows of the picture from the top; `take` says whether to go on.
fn rows(picture: &mut Picture, header: &Header, take: &mut dyn FnMut(&[u8], u32) -> bool) -> Ended {
    if header.interlaced {
        return interlaced_rows(picture, header, take);
    }
    for y in 0..header.height {
        let broken = match picture.next_row() {
            // The first picture of an animation must fill the whole; another width is against the rules.
            Ok(Some(row)) if row.data().len() as u64 == header.layout.row_bytes(header.width) => {
                if !take(row.data(), y) {
                    return Ended::Stopped;
                }
                continue;
            }
            Ok(_) => LabelError::CutShort {
                read: u64::from(y) * u64::from(header.width),
                of: header.pixels(),
            },
            Err(e) => error(&e, header.pixels()),
        };
        return Ended::Broken {
            rows: y,
            error: broken,
        };
    }
    Ended::Whole
}

fn interlaced_rows(
    picture: &mut Picture,
    header: &Header,
    take: &mut dyn FnMut(&[u8], u32) -> bool,
) -> Ended {
    let broken = |error| Ended::Broken { rows: 0, error };
    let size = picture.output_buffer_size();
    let Some(size) = size.filter(|&size| size <= 8 * MOST_INTERLACED as usize) else {
        return broken(LabelError::TooDeep);
    };
    let mut frame = vec![0; size];
    let info = match picture.next_frame(&mut frame) {
        Ok(info) => info,
        Err(e) => return broken(error(&e, header.pixels())),
    };
    for (row, y) in frame
        .chunks_exact(info.line_size.max(1))
        .zip(0..header.height)
    {
        if !take(row, y) {
            return Ended::Stopped;
        }
    }
    Ended::Whole
}

enum Judged {
    /// Red, green and blue are the same everywhere.
    Grey,
    Coloured,
    Stopped,
}

/// Whether a picture with colours uses them: as grey it is read by its value, unless all of its greys are in the list of colours.
fn judge(
    picture: &mut Picture,
    header: &Header,
    colours: &Colours,
    sink: &mut dyn Sink,
) -> Result<Judged, LabelError> {
    let mut all_grey = true;
    let mut all_listed = !colours.is_empty();
    let ended = rows(picture, header, &mut |row, y| {
        if y % 64 == 0 && sink.stopped() {
            return false;
        }
        all_grey = all_grey && header.layout.is_grey(row, header.width);
        if all_grey && all_listed {
            all_listed = colours.hold_all(row, header.layout, header.width);
        }
        true
    });
    match ended {
        Ended::Stopped => Ok(Judged::Stopped),
        Ended::Broken { rows: 0, error } => Err(error),
        _ if all_grey && !all_listed => Ok(Judged::Grey),
        _ => Ok(Judged::Coloured),
    }
}

/// Of a palette picture, the greys that another way of opening it gives instead of the indices.
fn tell_luminance(path: &Arc<Path>, picture: &Picture, emitter: &Emitter<'_>, sink: &mut dyn Sink) {
    let info = picture.info();
    let (ColorType::Indexed, Some(palette)) = (info.color_type, &info.palette) else {
        return;
    };
    let used: BTreeMap<u8, u8> = (palette.chunks_exact(3).zip(0_u8..=255))
        .filter(|(_, index)| emitter.uses(*index))
        .map(|(colour, index)| (index, luminance(colour)))
        .collect();
    if used.iter().all(|(index, grey)| index == grey) {
        return;
    }
    let mut greys: Vec<u8> = used.into_values().collect();
    greys.sort_unstable();
    greys.dedup();
    sink.trouble(Trouble {
        kind: TroubleKind::PaletteOpened { luminance: greys },
        place: Place::file(Arc::clone(path)),
        text: None,
    });
}

/// As Pillow's `convert("L")` weighs the channels (ITU-R 601-2, rounded).
fn luminance(colour: &[u8]) -> u8 {
    let weighted: u32 = colour
        .iter()
        .zip([19_595, 38_470, 7_471])
        .map(|(&channel, weight)| u32::from(channel) * weight)
        .sum();
    ((weighted + 0x8000) >> 16) as u8
}

/// Whether a PNG has one number a pixel, as masks do, by its first bytes.
pub(crate) fn has_one_channel(head: &[u8]) -> bool {
    matches!(head.get(25), Some(0 | 3))
}

/// The depth in bits.
pub(super) fn bits(depth: BitDepth) -> u64 {
    match depth {
        BitDepth::One => 1,
        BitDepth::Two => 2,
        BitDepth::Four => 4,
        BitDepth::Eight => 8,
        BitDepth::Sixteen => 16,
    }
}

#[cfg(test)]
#[path = "mask_tests.rs"]
mod tests;
