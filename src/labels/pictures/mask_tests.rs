use std::time::{Duration, Instant};

use png::Encoder;

use super::*;
use crate::labels::Collected;
use crate::labels::pictures::test_folder::Folder;

/// A PNG of rows as they lie in the file.
fn encode(
    size: (u32, u32),
    colour: ColorType,
    depth: BitDepth,
    palette: &[u8],
    rows: &[u8],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(rows).expect("rows");
    drop(writer);
    bytes
}

fn read_with(bytes: &[u8], colours: &[([u8; 3], &str)]) -> Result<Collected, LabelError> {
    let folder = Folder::new();
    let path: Arc<Path> = folder.write("m.png", bytes).into();
    let wanted = Wanted {
        colours: colours
            .iter()
            .map(|(c, name)| (*c, (*name).to_owned()))
            .collect(),
        ..Wanted::default()
    };
    let mut sink = Collected::default();
    read(&path, &wanted, &mut sink).map(|()| sink)
}

fn values(sink: &Collected) -> Vec<i128> {
    let stream = sink.streams.first().expect("a stream");
    stream
        .values
        .values()
        .filter_map(|(number, ..)| number.as_int())
        .collect()
}

#[test]
fn every_layout_gives_its_numbers() {
    #[track_caller]
    fn check(colour: ColorType, depth: BitDepth, width: u32, rows: &[u8], expected: &[i128]) {
        let palette = if colour == ColorType::Indexed {
            vec![9; 48]
        } else {
            Vec::new()
        };
        let height = expected.len() as u32 / width;
        let bytes = encode((width, height), colour, depth, &palette, rows);
        let sink = read_with(&bytes, &[]).expect("a mask");
        assert_eq!(values(&sink), expected, "{colour:?} {depth:?}");
        let stream = sink.streams.first().expect("a stream");
        assert_eq!(stream.stream.shape, [u64::from(height), u64::from(width)]);
    }
    use BitDepth::{Eight, Four, One, Sixteen, Two};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    check(Grayscale, Eight, 2, &[0, 1, 254, 255], &[0, 1, 254, 255]);
    check(Indexed, Eight, 2, &[0, 1, 15, 3], &[0, 1, 15, 3]);
    check(
        Indexed,
        Four,
        3,
        &[0x12, 0x30, 0xf0, 0x10],
        &[1, 2, 3, 15, 0, 1],
    );
    check(
        Indexed,
        Two,
        5,
        &[0b0001_1011, 0b0100_0000],
        &[0, 1, 2, 3, 1],
    );
    check(
        Indexed,
        One,
        9,
        &[0b1010_0001, 0b1000_0000],
        &[1, 0, 1, 0, 0, 0, 0, 1, 1],
    );
    check(Grayscale, One, 2, &[0b0100_0000], &[0, 1]);
    check(Grayscale, Sixteen, 2, &[1, 0, 0xff, 0xff], &[256, 65_535]);
    check(GrayscaleAlpha, Eight, 2, &[7, 255, 8, 0], &[7, 8]);
    check(GrayscaleAlpha, Sixteen, 1, &[1, 2, 255, 255], &[258]);
    check(Rgb, Eight, 2, &[5, 5, 5, 6, 6, 6], &[5, 6]);
    check(Rgba, Eight, 1, &[5, 5, 5, 0], &[5]);
    check(Rgb, Sixteen, 1, &[1, 1, 1, 1, 1, 1], &[257]);
}

#[test]
fn pixels_across_blocks() {
    // Wider than a block, and blocks that end inside a row.
    for (width, height) in [(70_000, 2), (1000, 200)] {
        let mut rows = vec![0; width as usize * height as usize];
        let last = rows.len() - 1;
        rows[last] = 9;
        rows[66_000] = 5;
        let bytes = encode(
            (width, height),
            ColorType::Grayscale,
            BitDepth::Eight,
            &[],
            &rows,
        );
        let sink = read_with(&bytes, &[]).expect("a mask");
        let stream = sink.streams.first().expect("a stream");
        assert_eq!(stream.values.len(), rows.len());
        for (index, value) in [(66_000_u64, 5), (last as u64, 9)] {
            let (number, place, _) = stream.values.get(&index).expect("a pixel");
            assert_eq!(number.as_int(), Some(value));
            let width = u64::from(width);
            assert_eq!(place.pixel, Some([index % width, index / width]));
        }
    }
}

#[test]
fn colours_by_their_list() {
    let list = [
        ([0, 0, 0], "background"),
        ([128, 0, 0], "car"),
        ([255, 255, 255], "sky"),
    ];
    let rgb = |rows: &[u8]| {
        encode(
            (rows.len() as u32 / 3, 1),
            ColorType::Rgb,
            BitDepth::Eight,
            &[],
            rows,
        )
    };
    let sink = read_with(&rgb(&[128, 0, 0, 0, 0, 0, 255, 255, 255]), &list).expect("a mask");
    assert_eq!(values(&sink), [1, 0, 2]);
    assert!(sink.troubles.is_empty());

    let sink = read_with(
        &rgb(&[128, 0, 0, 0, 9, 0, 0, 9, 0, 128, 0, 0, 0, 0, 1]),
        &list,
    )
    .expect("a mask");
    assert_eq!(values(&sink), [1, 1]);
    let stream = sink.streams.first().expect("a stream");
    assert_eq!(
        stream.values.get(&3).and_then(|(_, place, _)| place.pixel),
        Some([3, 0])
    );
    let told: Vec<_> = sink
        .troubles
        .iter()
        .map(|t| (t.kind.clone(), t.place.pixel))
        .collect();
    let unknown = |colour: &str, pixels| TroubleKind::UnknownColour {
        colour: colour.to_owned(),
        pixels,
    };
    assert_eq!(
        told,
        [
            (unknown("0,9,0", 2), Some([1, 0])),
            (unknown("0,0,1", 1), Some([4, 0]))
        ]
    );

    // Only greys: by the list where it has them all, else by their value.
    assert_eq!(
        values(&read_with(&rgb(&[255, 255, 255, 0, 0, 0]), &list).expect("a mask")),
        [2, 0]
    );
    assert_eq!(
        values(&read_with(&rgb(&[1, 1, 1, 0, 0, 0]), &list).expect("a mask")),
        [1, 0]
    );
    let refused = read_with(&rgb(&[1, 2, 3]), &[]).map(|_| ());
    assert_eq!(refused, Err(LabelError::NoColourList));
}

#[test]
fn a_photograph_as_mask_is_bounded() {
    let mut state = 1_u32;
    let rows: Vec<u8> = (0..3 * 300 * 300)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    let bytes = encode((300, 300), ColorType::Rgb, BitDepth::Eight, &[], &rows);
    let sink = read_with(&bytes, &[([0, 0, 0], "a")]).expect("a mask");
    assert!(sink.troubles.len() <= 65);
}

#[test]
fn other_readings_of_a_palette() {
    let palette = [0, 0, 0, 128, 0, 0, 0, 128, 0, 1, 1, 1];
    let told = |rows: &[u8]| {
        let bytes = encode(
            (rows.len() as u32, 1),
            ColorType::Indexed,
            BitDepth::Eight,
            &palette,
            rows,
        );
        let sink = read_with(&bytes, &[]).expect("a mask");
        sink.troubles
            .into_iter()
            .map(|trouble| trouble.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        told(&[0, 1, 2]),
        [TroubleKind::PaletteOpened {
            luminance: vec![0, 38, 75]
        }]
    );
    assert_eq!(told(&[0, 0]), []);
}

#[test]
fn what_is_no_png() {
    for (bytes, expected) in [
        (b"\xff\xd8\xff\xe0".as_slice(), LabelError::JpegMask),
        (b"GIF89a", LabelError::LaterFormat("GIF")),
        (b"II*\0....", LabelError::LaterFormat("TIFF")),
        (b"BM\x10\0\0\0\0\0\0\0\0\0", LabelError::LaterFormat("BMP")),
        (b"", LabelError::Input(crate::inputs::InputError::Empty)),
    ] {
        assert_eq!(read_with(bytes, &[]).map(|_| ()), Err(expected));
    }
    assert!(matches!(
        read_with(b"hello", &[]),
        Err(LabelError::Malformed { .. })
    ));
}

/// A chunk of a PNG, with its checksum.
fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(kind);
    crc.update(data);
    let length = (data.len() as u32).to_be_bytes();
    [&length, kind, data, &crc.sum().to_be_bytes()].concat()
}

fn picture(width: u32, height: u32, interlaced: bool, data: &[u8]) -> Vec<u8> {
    let header = [
        width.to_be_bytes().as_slice(),
        &height.to_be_bytes(),
        &[8, 0, 0, 0, u8::from(interlaced)],
    ]
    .concat();
    let parts = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", data),
        chunk(b"IEND", b""),
    ];
    parts.concat()
}

fn deflate_zeros(count: usize) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![0; 1 << 20];
    let mut left = count;
    while left > 0 {
        let now = left.min(block.len());
        encoder.write_all(&block[..now]).expect("zeros");
        left -= now;
    }
    encoder.finish().expect("zeros")
}

#[test]
fn announced_sizes_are_not_believed() {
    let start = Instant::now();
    let small = deflate_zeros(1000);
    for (width, height) in [(60_000, 60_000), (u32::MAX >> 1, 1), (1, u32::MAX >> 1)] {
        for interlaced in [false, true] {
            let read = read_with(&picture(width, height, interlaced, &small), &[]).map(|_| ());
            assert!(read.is_err(), "{width} {height} {read:?}");
        }
    }
    // As tight as deflate packs, and still too much.
    let bomb = picture(16_384, 20_000, false, &deflate_zeros(16_385 * 20_000));
    let read = read_with(&bomb, &[]).map(|_| ());
    assert!(
        matches!(read, Err(LabelError::UnpacksTooLarge { .. })),
        "{read:?}"
    );
    assert!(start.elapsed() < Duration::from_mins(1));
}

#[test]
fn a_picture_that_ends_early() {
    // Rows 0 to 3 of 8 are there.
    let bytes = picture(4, 8, false, &deflate_zeros(4 * 5));
    let sink = read_with(&bytes, &[]).expect("half a mask");
    let told = sink.troubles.first().map(|trouble| trouble.kind.clone());
    assert_eq!(told, Some(TroubleKind::CutShort { read: 16, of: 32 }));
    assert_eq!(values(&sink).len(), 16);
    let whole = encode((4, 4), ColorType::Grayscale, BitDepth::Eight, &[], &[1; 16]);
    for end in 0..whole.len() {
        let _ = read_with(whole.get(..end).unwrap_or_default(), &[]);
    }
}

#[test]
fn interlaced_pictures() {
    // The seven passes of a picture of 2 x 2: one pixel, then one, then two.
    let rows = [0, 10, 0, 11, 0, 12, 13];
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, &rows).expect("rows");
    let bytes = picture(2, 2, true, &encoder.finish().expect("rows"));
    assert_eq!(
        values(&read_with(&bytes, &[]).expect("a mask")),
        [10, 11, 12, 13]
    );
}

#[test]
fn an_animation_is_its_first_picture() {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 2, 1);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_animated(2, 0).expect("an animation");
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[1, 2]).expect("a frame");
    writer.write_image_data(&[3, 4]).expect("a frame");
    drop(writer);
    assert_eq!(values(&read_with(&bytes, &[]).expect("a mask")), [1, 2]);
}

#[test]
fn fixtures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/labels");
    let histogram = |name: &str| {
        let mut sink = Collected::default();
        read(&root.join(name).into(), &Wanted::default(), &mut sink)?;
        let mut counts = BTreeMap::new();
        for value in values(&sink) {
            *counts.entry(value).or_insert(0) += 1;
        }
        Ok::<_, LabelError>(counts)
    };
    let palette = histogram("mask_palette/2007_000032.png").expect("a mask");
    assert_eq!(palette.get(&255), Some(&12));
    assert_eq!(palette.values().sum::<i32>(), 140);
    assert_eq!(
        histogram("mask_ade/ADE_val_1.png").map(|counts| counts.get(&150).copied()),
        Ok(Some(1))
    );
    assert!(
        matches!(histogram("mask_mots/1.png"), Ok(counts) if counts.keys().any(|&value| value > 255))
    );
    assert_eq!(histogram("mask_jpeg/mask.jpg"), Err(LabelError::JpegMask));
    assert_eq!(
        histogram("mask_rgb/GT/000001.png"),
        Err(LabelError::NoColourList)
    );
    assert!(matches!(
        histogram("hostile_png_dims/m.png"),
        Err(LabelError::CutShort { .. })
    ));
}

#[test]
fn mutated_pictures_never_panic() {
    let rows: Vec<u8> = (0..64).collect();
    let seeds = [
        encode((8, 8), ColorType::Grayscale, BitDepth::Eight, &[], &rows),
        encode(
            (8, 8),
            ColorType::Indexed,
            BitDepth::Four,
            &[7; 48],
            &[0x12; 32],
        ),
        encode((4, 4), ColorType::Rgba, BitDepth::Eight, &[], &rows),
        picture(2, 2, true, &deflate_zeros(7)),
    ];
    let mut state = 3_u64;
    for round in 0..1_500 {
        let mut bytes = seeds.get(round % 4).cloned().unwrap_or_default();
        for _ in 0..=round % 5 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let at = (state >> 33) as usize % bytes.len();
            if let Some(byte) = bytes.get_mut(at) {
                *byte = (state >> 24) as u8;
            }
        }
        let _ = read_with(&bytes, &[([0, 0, 0], "a")]);
    }
}
