//! Flipped, cut and repeated bytes: nothing panics, hangs or takes much memory.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::Rng as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::super::held::Input;
use super::super::{meta, read_bytes, safetensors, torch};
use super::{fixture, streams};
use crate::labels::{Collected, LabelFormat, Wanted};

/// The fixtures, and as what they are read.
const FILES: &[(&str, LabelFormat)] = &[
    ("npy_int64/labels.npy", LabelFormat::Npy),
    ("npy_struct/table.npy", LabelFormat::Npy),
    ("npy_onehot/y.npy", LabelFormat::Npy),
    ("npy_names/labels.npy", LabelFormat::Npy),
    ("npy_fortran/grid.npy", LabelFormat::Npy),
    ("npz_medmnist/pathmnist.npz", LabelFormat::Npz),
    ("hostile_npz_size/lie.npz", LabelFormat::Npz),
    ("pt_tensor/labels.pt", LabelFormat::Torch),
    ("pt_tuple/training.pt", LabelFormat::Torch),
    ("pt_dict/dict.pt", LabelFormat::Torch),
    ("pt_list/list.pt", LabelFormat::Torch),
    ("pt_view/view.pt", LabelFormat::Torch),
    ("hostile_pt_good/train.pt", LabelFormat::Torch),
    ("hostile_pickle/data.pkl", LabelFormat::Pickle),
    ("pkl_shared/shared.pkl", LabelFormat::Pickle),
    ("cifar10/test_batch", LabelFormat::Pickle),
    ("cifar10/batches.meta", LabelFormat::Pickle),
    ("nanogpt/meta.pkl", LabelFormat::Pickle),
    (
        "ckpt_safetensors/model.safetensors",
        LabelFormat::SafeTensors,
    ),
    ("idx_int32/qmnist-labels.idx2-int", LabelFormat::Idx),
    (
        "idx_letters/emnist-letters-train-labels-idx1-ubyte.gz",
        LabelFormat::Idx,
    ),
    ("nanogpt/val.bin", LabelFormat::Tokens),
];

fn run(path: &Arc<Path>, bytes: &[u8], format: LabelFormat) {
    let mut collected = Collected::default();
    let input = Input::of_bytes(path, bytes.to_vec());
    let _ = torch::tensors(&input);
    let _ = meta::read(&input);
    let _ = safetensors::tensors(&input);
    if read_bytes(
        path,
        bytes.to_vec(),
        format,
        &Wanted::default(),
        &mut collected,
    )
    .is_ok()
    {
        // What is promised to be in the file is there.
        streams(&collected, &input);
    }
}

#[test]
fn mutated_files_do_no_harm() {
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]),
    );
    for &(name, format) in FILES {
        let path = fixture(name);
        let original = std::fs::read(&path).unwrap();
        for _ in 0..300 {
            let mut bytes = original.clone();
            let random = |below: usize, runner: &mut TestRunner| {
                (runner.rng().next_u64() % below.max(1) as u64) as usize
            };
            // The beginnings, where the headers are, are hit most.
            let end = if random(2, &mut runner) == 0 {
                200
            } else {
                usize::MAX
            };
            for _ in 0..=random(4, &mut runner) {
                let at = random(bytes.len().min(end), &mut runner);
                match random(5, &mut runner) {
                    0 => bytes.truncate(at),
                    1 => {
                        let copy: Vec<u8> = bytes.iter().skip(at).take(16).copied().collect();
                        bytes.splice(at..at, copy);
                    }
                    2 => {
                        if let Some(byte) = bytes.get_mut(at) {
                            *byte = [0, 0xff, 0x7f, 0x80][at % 4];
                        }
                    }
                    _ => {
                        let bit = 1 << random(8, &mut runner);
                        if let Some(byte) = bytes.get_mut(at) {
                            *byte ^= bit;
                        }
                    }
                }
            }
            run(&path, &bytes, format);
        }
    }
}
