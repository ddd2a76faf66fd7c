//! One check from end to end.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::collector::{Collector, FileFound};
use super::gather::Gathered;
use super::merge::Merge;
use super::reach::home_of_labels;
use super::rules::Context;
use super::{
    CheckOptions, Checked, Given, Offender, Source, SourceKind, is_offender_table, survey,
};
use crate::bounds::Bound;
use crate::findings;
use crate::inputs::InputError;
use crate::labels::{self, LabelError, LabelFormat, Place, Trouble, TroubleKind, Wanted};
use crate::panics;
use crate::range_check::Checker;

/// How far a check is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckProgress {
    /// Files done.
    pub files: u64,
    /// Files in all, once known.
    pub of_files: Option<u64>,
    /// Bytes read.
    pub bytes: u64,
}

/// Gets every offender in reading order, for an export.
pub type EveryOffender<'a> = &'a mut (dyn FnMut(&Offender) + Send);

/// Files that are read at a time before their results are merged, in order.
const BATCH: usize = 256;
/// How often progress is told while files are read.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Checks what was given. `outside` are ranges from elsewhere (the log of the case). `every` gets every offender in reading
/// order; files are read one after the other then. Never fails as a whole: what could not be used says why in
/// [`Checked::sources`] and in its files.
pub fn run(
    given: &[Given],
    options: &CheckOptions,
    outside: &[Bound],
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(CheckProgress),
    mut every: Option<EveryOffender<'_>>,
) -> Checked {
    let began = Instant::now();
    let mut sources = survey(given, cancel);
    sources.retain(|source| {
        let out = given.get(source.given).map(|given| &given.left_out);
        out.is_none_or(|out| !out.contains(&source.id()))
    });
    read_once(&mut sources);
    leave_copies_out(&mut sources);
    leave_own_tables_out(&mut sources);
    let gathered = Gathered::of(given, &mut sources, outside, options);
    let of_files = sources.iter().map(|source| files_of(source).len() as u64);
    let counts = Counts {
        files: AtomicU64::new(0),
        of_files: of_files.sum(),
        bytes: AtomicU64::new(0),
        cancel,
    };
    let checker = Checker::new(options.device);
    let mut merge = Merge::new(&gathered, options);
    for (at, source) in sources.iter().enumerate() {
        merge.troubles(source.troubles.clone());
        if let SourceKind::Refused(error) = &source.kind {
            merge.refused(at, source, error.clone());
        }
        let SourceKind::Labels { format, files } = &source.kind else {
            continue;
        };
        let given = given.get(source.given).cloned().unwrap_or_default();
        let mut wanted = HashMap::new();
        for file in files {
            let home = home_of_labels(file, *format);
            if !wanted.contains_key(home) {
                wanted.insert(home, gathered.wanted(home, &given, options));
            }
        }
        let reader = Reader {
            context: &gathered.context,
            wanted,
            given,
            format: *format,
            counts: &counts,
            checker: &checker,
            most_offenders: (Checked::MOST_OFFENDERS / files.len().max(1)).max(1000),
        };
        let step = if every.is_some() { 1 } else { BATCH };
        for batch in files.chunks(step) {
            if cancel.load(Ordering::Relaxed) {
                break;
            }
            let every = every
                .as_mut()
                .map(|every| &mut **every as EveryOffender<'_>);
            let found = counts.while_telling(progress, || reader.read_all(batch, every));
            for (path, found) in batch.iter().zip(found) {
                merge.file(at, source, *format, path, found);
            }
        }
    }
    let (material, offenders, offenders_total) = merge.finish();
    let findings = findings::find(&material);
    Checked {
        options: options.clone(),
        sources,
        material,
        findings,
        offenders,
        offenders_total,
        device: checker.used(),
        elapsed: began.elapsed(),
        cancelled: cancel.load(Ordering::Relaxed),
    }
}

/// A file that several of the given paths hold (a folder, and a file in it) is read once: by the path that names it first.
fn read_once(sources: &mut Vec<Source>) {
    let mut known: HashSet<PathBuf> = HashSet::new();
    let mut is_new = |path: &Path| {
        // A path that cannot be resolved is its own.
        known.insert(std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    };
    let given = sources.iter().map(|source| source.given).max();
    if given.is_none_or(|last| last == 0) {
        return;
    }
    sources.retain_mut(|source| match &mut source.kind {
        SourceKind::Labels { files, .. } => {
            files.retain(|file| is_new(file));
            !files.is_empty()
        }
        _ => is_new(&source.path),
    });
}

/// A suggested script writes its copies beside the originals, with `_fixed` behind the name. Where both lie in what was given, the
/// originals are checked: together they would be one data set with every label twice. A copy is checked where it is named.
fn leave_copies_out(sources: &mut Vec<Source>) {
    let all: HashSet<Arc<Path>> = sources.iter().flat_map(files_of).cloned().collect();
    let is_copy = |file: &Path| {
        file.ancestors().any(|part| {
            let original = part.file_stem().and_then(|stem| {
                let stem = stem.to_str()?.strip_suffix("_fixed")?;
                let mut name = std::ffi::OsString::from(stem);
                if let Some(extension) = part.extension() {
                    name.push(".");
                    name.push(extension);
                }
                let rest = file.strip_prefix(part).ok()?;
                let original = part.with_file_name(name);
                Some(if rest.as_os_str().is_empty() {
                    original
                } else {
                    original.join(rest)
                })
            });
            original.is_some_and(|original| all.contains(original.as_path()))
        })
    };
    sources.retain_mut(|source| match &mut source.kind {
        SourceKind::Labels { files, .. } => {
            files.retain(|file| !is_copy(file));
            !files.is_empty()
        }
        _ => true,
    });
}

/// A table of offenders that was exported into the data set is no part of it: its values would be offenders again. Tells of each.
fn leave_own_tables_out(sources: &mut [Source]) {
    for source in sources {
        let Source {
            kind: SourceKind::Labels { format, files },
            troubles,
            ..
        } = source
        else {
            continue;
        };
        if *format != LabelFormat::Table {
            continue;
        }
        files.retain(|file| {
            let is_own = is_offender_table(file);
            if is_own {
                troubles.push(Trouble {
                    kind: TroubleKind::OwnTable,
                    place: Place::file(Arc::clone(file)),
                    text: None,
                });
            }
            !is_own
        });
        if files.is_empty() {
            source.kind = SourceKind::Other;
        }
    }
}

/// The label files of a source.
fn files_of(source: &Source) -> &[Arc<Path>] {
    match &source.kind {
        SourceKind::Labels { files, .. } => files,
        _ => &[],
    }
}

/// What is counted over all files.
struct Counts<'a> {
    files: AtomicU64,
    of_files: u64,
    bytes: AtomicU64,
    cancel: &'a AtomicBool,
}

impl Counts<'_> {
    fn now(&self) -> CheckProgress {
        CheckProgress {
            files: self.files.load(Ordering::Relaxed),
            of_files: Some(self.of_files),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }

    /// Works on a thread of its own and tells progress meanwhile on this one.
    fn while_telling<T: Send>(
        &self,
        progress: &mut dyn FnMut(CheckProgress),
        work: impl FnOnce() -> T + Send,
    ) -> T {
        let (done, wait) = channel();
        let result = thread::scope(|scope| {
            let working = scope.spawn(move || {
                let result = work();
                // Nobody waits any more only if this thread is being torn down.
                let _ = done.send(());
                result
            });
            while wait.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                progress(self.now());
            }
            working.join()
        });
        progress(self.now());
        match result {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Reads the files of one source.
struct Reader<'a> {
    context: &'a Context,
    /// How files are to be read, by the folder that they lie in.
    wanted: HashMap<&'a Path, Wanted>,
    given: Given,
    format: LabelFormat,
    counts: &'a Counts<'a>,
    checker: &'a Checker,
    most_offenders: usize,
}

/// What a file held, and why not all of it, or nothing.
pub(super) type ReadFile = (FileFound, Option<LabelError>);

impl Reader<'_> {
    fn read_all(&self, files: &[Arc<Path>], every: Option<EveryOffender<'_>>) -> Vec<ReadFile> {
        match every {
            Some(every) => {
                let mut found = Vec::with_capacity(files.len());
                for path in files {
                    found.push(self.read(path, Some(&mut *every)));
                }
                found
            }
            None => files.par_iter().map(|path| self.read(path, None)).collect(),
        }
    }

    fn read(&self, path: &Arc<Path>, every: Option<EveryOffender<'_>>) -> ReadFile {
        let counts = self.counts;
        let home = home_of_labels(path, self.format);
        let as_found = Wanted::default();
        let wanted = self.wanted.get(home).unwrap_or(&as_found);
        let mut collector = Collector::new(
            self.context,
            (&self.given, home),
            self.format,
            (counts.cancel, self.checker),
            &counts.bytes,
        );
        collector.most_offenders = self.most_offenders;
        collector.emit = every.map(|every| every as EveryOffender<'_>);
        // A fault in a reader must not take the other files along.
        let result = catch_unwind(AssertUnwindSafe(|| {
            if counts.cancel.load(Ordering::Relaxed) {
                return Err(LabelError::Input(InputError::Cancelled));
            }
            labels::read(path, self.format, wanted, &mut collector)
        }));
        counts.files.fetch_add(1, Ordering::Relaxed);
        let error = match result {
            Ok(result) => result.err(),
            Err(panic) => {
                let said = panics::said(panic.as_ref()).to_owned();
                log::error!("a label reader panicked: {said}");
                Some(LabelError::Fault(said))
            }
        };
        (std::mem::take(&mut collector.found), error)
    }
}
