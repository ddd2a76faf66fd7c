//! Loaded lines, in blocks as the line index cuts them; the least lately wanted go first.

use std::collections::{BTreeMap, BTreeSet};

use super::LineRow;
use crate::app::RequestId;
use crate::crash_log::LineIndex;
use crate::inputs::InputError;

/// Blocks that are kept, beyond those on screen.
const MOST_BLOCKS: usize = 64;
/// Blocks asked for at a time: whoever drags through a large log passes most of them by.
const MOST_IN_FLIGHT: usize = 16;

/// Consecutive lines that are loaded.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The lines.
    pub rows: Vec<LineRow>,
    /// Why they could not be read; their rows say so.
    pub failed: Option<InputError>,
    used: u64,
}

/// The loaded lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    blocks: BTreeMap<u64, Block>,
    in_flight: BTreeMap<RequestId, u64>,
    wanted: BTreeSet<u64>,
    clock: u64,
}

/// The block that holds a line.
pub(super) fn block_of(line: u64) -> u64 {
    line.saturating_sub(1) / LineIndex::STRIDE
}

impl Cache {
    /// A line, where it is loaded.
    pub fn line(&self, number: u64) -> Option<&LineRow> {
        let block = self.blocks.get(&block_of(number))?;
        block
            .rows
            .get((number.saturating_sub(1) % LineIndex::STRIDE) as usize)
    }

    /// From now on these blocks are on screen.
    pub fn want(&mut self, blocks: BTreeSet<u64>) {
        self.clock += 1;
        for block in &blocks {
            if let Some(block) = self.blocks.get_mut(block) {
                block.used = self.clock;
            }
        }
        self.wanted = blocks;
    }

    /// Wanted blocks that are neither loaded nor asked for, as many as may be asked for now.
    pub fn missing(&self) -> Vec<u64> {
        let asked: BTreeSet<u64> = self.in_flight.values().copied().collect();
        self.wanted
            .iter()
            .copied()
            .filter(|block| !self.blocks.contains_key(block) && !asked.contains(block))
            .take(MOST_IN_FLIGHT.saturating_sub(asked.len()))
            .collect()
    }

    /// A block was asked for.
    pub fn asked(&mut self, request: RequestId, block: u64) {
        self.in_flight.insert(request, block);
    }

    /// An answer came: the block it is for, or `None` where nobody waits for it.
    pub fn answered(&mut self, request: RequestId) -> Option<u64> {
        self.in_flight.remove(&request)
    }

    /// Keeps a block and lets the oldest go.
    pub fn keep(&mut self, index: u64, rows: Vec<LineRow>, failed: Option<InputError>) {
        self.clock += 1;
        let used = self.clock;
        self.blocks.insert(index, Block { rows, failed, used });
        while self.blocks.len() > MOST_BLOCKS {
            let oldest = self
                .blocks
                .iter()
                .filter(|(index, _)| !self.wanted.contains(index))
                .min_by_key(|(_, block)| block.used)
                .map(|(index, _)| *index);
            let Some(oldest) = oldest else { break };
            self.blocks.remove(&oldest);
        }
    }

    /// All loaded blocks by their index, to be written anew.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = (u64, &mut Block)> {
        self.blocks.iter_mut().map(|(index, block)| (*index, block))
    }

    /// Number of loaded blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }
}
