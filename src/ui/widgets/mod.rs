//! Controls and pieces of panels. They draw what they are given and report what was done to them.

mod button;
mod callout;
mod certainty;
mod comparison_card;
mod drop_target;
mod field;
mod histogram;
mod log_rows;
mod memory_strip;
mod overview_bar;
mod pill;
mod progress;
mod search_field;
mod sign;
mod text;
mod verdict_card;
mod verdict_details;

pub use button::{Button, Chip, IconButton, Link, focus_ring};
pub use callout::{Callout, callout_ui};
pub use certainty::{certainty_dots_ui, certainty_pill, paint_dots};
pub use comparison_card::comparison_card_ui;
pub use drop_target::{DropTarget, centred_ui, drop_overlay_ui};
pub use field::{Typed, choice_ui, edit_ui, field_ui, menu_row_ui};
pub use histogram::histogram_ui;
pub use log_rows::LogScroll;
pub use memory_strip::memory_strip_ui;
pub use pill::{paint_pill, pill_galley};
pub use progress::{progress_bar_ui, progress_text};
pub use search_field::{SearchDraft, search_field_ui};
pub use sign::sign_ui;
pub use text::{
    cut_galley, cut_start_galley, format, galley, label_ui, paragraph_ui, short_paragraph_ui,
};
pub use verdict_card::verdict_card_ui;
