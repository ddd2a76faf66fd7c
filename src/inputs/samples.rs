//! The logs behind "Try a sample", embedded in the program. All in them is invented.

/// A log that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its stable name.
    pub id: &'static str,
    /// Id of its title among the texts.
    pub title_id: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
}

/// All samples, in the order of the menu.
pub const SAMPLES: &[Sample] = &[
    Sample {
        id: "segmentation-labels",
        title_id: "app-sample-segmentation-labels",
        bytes: include_bytes!("../../assets/samples/segmentation-labels.log"),
    },
    Sample {
        id: "added-tokens",
        title_id: "app-sample-added-tokens",
        bytes: include_bytes!("../../assets/samples/added-tokens.log"),
    },
];

/// The sample with a name.
pub fn sample(id: &str) -> Option<&'static Sample> {
    SAMPLES.iter().find(|sample| sample.id == id)
}
