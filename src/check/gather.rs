//! What the files beside the labels say: ranges, class lists, colours, ignore values.

use std::path::Path;
use std::sync::Arc;

use super::reach::Reach;
use super::rules::Context;
use super::{CheckOptions, Given, Source, SourceKind};
use crate::bounds::{self, Bound, BoundFile, ScriptRemark};
use crate::labels::{
    self, ClassList, LabelError, LabelFormat, Place, Places, Region, Sink, Stream, StreamId,
    Trouble, Wanted,
};
use crate::range_check::Values;

/// What was gathered before the labels are read.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub context: Context,
    pub troubles: Vec<Trouble>,
    pub script: Vec<(Arc<Path>, ScriptRemark)>,
    /// Values named `ignore_index`, and what names them, as written.
    pub ignore: Vec<(i64, String)>,
    /// Lists of colours, and the files that hold them.
    colours: Vec<(Arc<Path>, Colours)>,
    /// Class names, and the files that hold them.
    names: Vec<(Option<Arc<Path>>, Names)>,
}

/// Class names in order of their number.
type Names = Arc<[String]>;

/// Red, green, blue and the class name, in order of the class numbers.
type Colours = Arc<[([u8; 3], String)]>;

impl Gathered {
    /// Reads what is not labels among the sources. A source that turns out to say nothing becomes [`SourceKind::Other`].
    pub fn of(
        given: &[Given],
        sources: &mut [Source],
        outside: &[Bound],
        options: &CheckOptions,
    ) -> Self {
        let mut found = Self::default();
        let mut stated = outside.to_vec();
        for source in sources.iter_mut() {
            if source.kind == SourceKind::Colours {
                match labels::read_colours(&source.path) {
                    Ok(colours) => {
                        let path = Arc::clone(&source.path);
                        found.colours.push((path, colours.into()));
                    }
                    Err(error) => source.kind = SourceKind::Refused(error),
                }
                continue;
            }
            let Some(kind) = bound_file(&source.kind) else {
                continue;
            };
            match bounds::of_file(&source.path, kind) {
                Ok(says) => {
                    stated.extend(says.bounds);
                    let path = || Arc::clone(&source.path);
                    let values = says.ignore.iter().map(|(value, _)| (path(), *value));
                    found.context.ignore.extend(values);
                    found.ignore.extend(says.ignore);
                    for list in says.lists {
                        let names = list.names.clone().into();
                        found.names.push((list.source.path.clone(), names));
                        found.context.lists.push(list);
                    }
                    found.troubles.extend(says.troubles);
                    let remarks = says.script.into_iter().map(|remark| (path(), remark));
                    found.script.extend(remarks);
                }
                // A configuration without a size is a file like many others.
                Err(LabelError::NotLabels(_) | LabelError::NoLabels { .. }) => {
                    source.kind = SourceKind::Other;
                }
                Err(error) => source.kind = SourceKind::Refused(error),
            }
        }
        // Stable: among equals the order in which they were given.
        stated.sort_by(|a, b| {
            let rank = |bound: &Bound| (bound.source, std::cmp::Reverse(bound.certainty));
            rank(a).cmp(&rank(b))
        });
        found.context.bounds = Context::users_bound(options)
            .into_iter()
            .chain(stated)
            .collect();
        found.context.options = options.clone();
        found.context.folders = trained_folders(sources);
        found.context.reach = Reach::of(given, sources);
        found
    }

    /// How files in a folder of labels are to be read.
    pub fn wanted(&self, home: &Path, given: &Given, options: &CheckOptions) -> Wanted {
        let about = |path: Option<&Arc<Path>>| self.context.reach.holds(path, home);
        let mut colours = self.colours.iter();
        let colours = colours.find(|(path, _)| about(Some(path)));
        let mut names = self.names.iter();
        let names = names.find(|(path, _)| about(path.as_ref()));
        Wanted {
            column: given.column.clone().or_else(|| options.column.clone()),
            role: given.role.or(options.role),
            colours: colours
                .map(|(_, list)| Arc::clone(list))
                .unwrap_or_default(),
            names: names.map(|(_, list)| Arc::clone(list)).unwrap_or_default(),
            token_width: self.context.token_width(home),
        }
    }
}

fn bound_file(kind: &SourceKind) -> Option<BoundFile> {
    Some(match kind {
        SourceKind::ClassNames => BoundFile::ClassNames,
        SourceKind::DataYaml => BoundFile::DataYaml,
        SourceKind::ObjData => BoundFile::ObjData,
        SourceKind::Config => BoundFile::Config,
        SourceKind::DatasetInfo => BoundFile::DatasetInfo,
        SourceKind::Meta => BoundFile::Meta,
        SourceKind::Weights => BoundFile::Weights,
        SourceKind::Script => BoundFile::Script,
        SourceKind::Labels { .. }
        | SourceKind::Colours
        | SourceKind::Log
        | SourceKind::Other
        | SourceKind::Refused(_) => return None,
    })
}

/// The class folders of the training split, where there is more than one split: the model has as many outputs.
fn trained_folders(sources: &[Source]) -> Option<Arc<ClassList>> {
    let folders = || {
        sources.iter().filter(|source| {
            matches!(
                source.kind,
                SourceKind::Labels {
                    format: LabelFormat::ImageFolder,
                    ..
                }
            )
        })
    };
    let train = folders().find(|source| source.split.as_deref() == Some("train"))?;
    if folders().count() < 2 {
        return None;
    }
    let mut first = FirstClasses::default();
    let read = labels::read(
        &train.path,
        LabelFormat::ImageFolder,
        &Wanted::default(),
        &mut first,
    );
    // Why it cannot be read is told when it is read for its labels.
    read.ok();
    first.0
}

/// Takes the class list of the first stream and stops.
#[derive(Default)]
struct FirstClasses(Option<Arc<ClassList>>);

impl Sink for FirstClasses {
    fn begin(&mut self, stream: Stream) -> StreamId {
        self.0 = self.0.take().or(stream.classes);
        StreamId(0)
    }
    fn numbers(&mut self, _: StreamId, _: Values<'_>, _: &dyn Places) {}
    fn region(&mut self, _: StreamId, _: Region) {}
    fn name(&mut self, _: StreamId, _: &str, _: &dyn Fn() -> Place) {}
    fn missing(&mut self, _: StreamId, _: &dyn Fn() -> Place) {}
    fn odd_numbers(&mut self, _: StreamId, _: u64, _: u64) {}
    fn trouble(&mut self, _: Trouble) {}
    fn read(&mut self, _: u64) {}
    fn stopped(&self) -> bool {
        self.0.is_some()
    }
}
