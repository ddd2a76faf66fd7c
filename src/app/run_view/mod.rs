//! A run while it goes on, as ready words and rows: its card, and what it prints.

mod card;
mod output;
mod setup;
mod strip;

pub use card::{RunCard, RunMark, Setting, Tile};
pub use output::{Output, OutputFilter, OutputRow, RowLine};
pub use setup::{KitView, SetupView, SuggestionRow};
pub use strip::{Strip, StripPoint};

pub(super) use card::{CardFacts, StopAsked, card};
pub(super) use setup::setup_view;
pub(super) use strip::Samples;

/// Minutes and seconds since a run was started (`2:47`), with hours where there are any (`1:02:47`).
pub fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_are_short() {
        for (ms, expected) in [
            (0, "0:00"),
            (999, "0:00"),
            (14_000, "0:14"),
            (167_900, "2:47"),
            (3_767_000, "1:02:47"),
        ] {
            assert_eq!(clock(ms), expected);
        }
    }
}
