//! The window: the real program, driven through its accessibility tree and looked at.

mod agreement;
mod gpus;
mod harness;
mod images;
mod labels;
mod log;
mod opening;
mod reach;
mod rerun;
mod switches;
mod texts;
