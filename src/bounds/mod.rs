//! Where an allowed range comes from: typed by the user, stated by the log, a class list, a configuration, the shapes of
//! weights, the literals of a script. Best first; two sources that disagree are a finding.

mod bound;

pub use bound::{Bound, BoundSource};
