//! Python pickles, read without running anything: a small machine builds the values, calls stay what they are, by name.

mod globals;
mod machine;
mod value;

pub(super) use globals::{Use, use_of};
pub(super) use machine::{Pickled, load};
pub(super) use value::{Item, Made, Object};
