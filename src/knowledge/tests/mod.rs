//! Tests of the catalogue: its files are whole (`schema`), and every line finds its entry (`matching`).

mod matching;
mod schema;
