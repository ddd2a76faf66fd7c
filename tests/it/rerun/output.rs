//! What a run prints, kept.

use super::*;

#[test]
fn output_keeps_its_order_and_its_pipe() {
    let ran = run(
        "order",
        shell("i=0; while [ $i -lt 300 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done"),
    );
    let expected =
        |pipe: &str| -> Vec<String> { (0..300).map(|i| format!("{pipe} {i}")).collect() };
    // A pipe's own name in the times may stand for a neighbour for a tenth of a second only, so the texts tell.
    let texts: Vec<String> = ran
        .lines
        .iter()
        .map(|line| String::from_utf8_lossy(&line.bytes).into_owned())
        .collect();
    for pipe in ["out", "err"] {
        let own: Vec<String> = texts
            .iter()
            .filter(|text| text.starts_with(pipe))
            .cloned()
            .collect();
        assert_eq!(own, expected(pipe));
    }
    assert_eq!(ran.texts(StreamName::Out), expected("out"));
    assert_eq!(ran.texts(StreamName::Err), expected("err"));
    assert_eq!(ran.status.lines, 600);
    assert_eq!(ran.ending().code, Some(0));
    assert_eq!(ran.ending().meaning, Some(ExitMeaning::Success));
    let case: RunCase =
        serde_json::from_slice(&fs::read(ran.folder.join("case.json")).unwrap()).unwrap();
    assert_eq!(case.schema, rerun::CASE_SCHEMA);
    assert_eq!(case.facts.line_count, 600);
    assert_eq!(
        case.run.supervisor,
        Follower::open(&ran.folder).unwrap().record().supervisor
    );
    clean(&ran);
}

#[test]
fn bytes_are_kept_as_they_were_printed() {
    // 训练 in UTF-8 and in GBK, bytes that are no text, Windows' line ends, no line feed at the end.
    let ran = run(
        "bytes",
        shell(r"printf '训练 é\n\321\265\301\267\n\377\376\r\nlast'"),
    );
    assert_eq!(
        ran.log,
        b"\xe8\xae\xad\xe7\xbb\x83 \xc3\xa9\n\xd1\xb5\xc1\xb7\n\xff\xfe\r\nlast"
    );
    assert_eq!(ran.lines.last().unwrap().bytes, b"last");
    clean(&ran);
}

#[test]
fn of_redraws_the_latest_is_kept_and_shown_while_it_stands() {
    let scratch = scratch("redraw");
    let go_on = scratch.join("go-on");
    let script = format!(
        "printf 'a\\n\\r 10%%|#| 1/10 [00:01<00:09, 1.5it/s]\\r 20%%|##| 2/10 [00:02<00:08, 1.5it/s]' >&2; \
         while [ ! -e '{}' ]; do sleep 0.05; done; printf '\\r 30%%|###| 3/10\\nend\\n' >&2",
        go_on.display()
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    let status = until("the redraw", || {
        let status = follower.poll(10).status;
        let shown = status.last_redraw.as_deref().unwrap_or_default();
        (shown.contains("20%") && status.progress.step == Some((2, Some(10)))).then_some(status)
    });
    assert_eq!(status.state, RunState::Running);
    assert!(!status.last_redraw.unwrap().contains("10%"));
    fs::write(go_on, "").unwrap();
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    assert_eq!(ran.texts(StreamName::Err), ["a", " 30%|###| 3/10", "end"]);
    clean(&ran);
}

/// The most memory a process had, in KiB.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// A flood of lines, then an endless line, then an end; the supervisor's memory stays small and what is kept is bounded.
fn flood(name: &str, bytes: u64, limit: Option<u64>) {
    let scratch = scratch(name);
    let line = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd";
    let script = format!(
        "yes {line} | head -c {bytes}; head -c {} /dev/zero | tr '\\0' x; printf '\\nthe end\\n'",
        bytes / 8
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"));
    supervisor.arg(rerun::ARGUMENT).arg(&folder);
    if let Some(limit) = limit {
        supervisor.env("ASSERT_DOCTOR_LOG_LIMIT", limit.to_string());
    }
    let mut supervisor = supervisor.spawn().unwrap();
    let mut follower = Follower::open(&folder).unwrap();
    let (mut peak, mut given, mut skipped, mut last) = (0, 0, 0, None);
    let began = Instant::now();
    let status = loop {
        let update = follower.poll(1_000);
        assert!(update.lines.len() <= 1_000);
        given += update.lines.len() as u64;
        skipped += update.skipped;
        last = update.lines.last().cloned().or(last);
        peak = peak_memory(supervisor.id()).unwrap_or_default().max(peak);
        if update.supervision == Supervision::Over && !update.more {
            break update.status;
        }
        assert!(began.elapsed() < 5 * HANG);
        std::thread::sleep(Duration::from_millis(10));
    };
    supervisor.wait().unwrap();
    assert!(peak > 0);
    assert!(peak < 200 * 1024, "{peak} KiB");
    let last = last.unwrap();
    assert_eq!(last.bytes, b"the end");
    let log = fs::metadata(folder.join("output.log")).unwrap().len();
    assert_eq!(status.bytes, bytes + bytes / 8 + 9);
    let left_out = status.ending.unwrap().left_out;
    match limit {
        None => {
            assert_eq!(left_out, 0);
            // An endless line is broken into lines of a mebibyte.
            assert!(log >= status.bytes && log <= status.bytes + 1_000);
            assert_eq!(given + skipped, last.number);
        }
        Some(limit) => {
            assert!(left_out > 0);
            assert!(log <= limit + 4 * 1024 * 1024, "{log}");
            let text = fs::read(folder.join("output.log")).unwrap();
            let note = format!("\n[assert-doctor] {left_out} bytes left out here\n");
            assert!(memchr::memmem::find(&text, note.as_bytes()).is_some());
            // Its number is that in the log as it is in the end.
            let lines = memchr::memchr_iter(b'\n', &text).count() as u64;
            let fresh = Follower::open(&folder).unwrap().poll(1_000);
            assert_eq!(fresh.lines.last().unwrap().number, lines);
            let case: RunCase =
                serde_json::from_slice(&fs::read(folder.join("case.json")).unwrap()).unwrap();
            assert_eq!(case.facts.line_count, lines);
        }
    }
    fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_flood_is_kept_whole_with_little_memory() {
    // The whole gigabyte where it is asked for: it takes a minute in a debug build.
    let whole = std::env::var_os("ASSERT_DOCTOR_FLOOD").is_some();
    flood("flood", if whole { 1 << 30 } else { 64 << 20 }, None);
}

#[test]
fn a_flood_beyond_the_limit_leaves_its_beginning_and_its_end() {
    flood("beyond", 64 << 20, Some(8 << 20));
}

#[test]
fn a_folder_that_is_deleted_does_not_end_the_run() {
    let scratch = scratch("deleted");
    let go_on = scratch.join("go-on");
    let script = format!(
        "echo first; while [ ! -e '{}' ]; do sleep 0.05; done; echo second; exit 3",
        go_on.display()
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    until("its first line", || {
        (!follower.poll(10).lines.is_empty()).then_some(())
    });
    fs::remove_dir_all(&folder).unwrap();
    until("the folder again", || {
        let status = Follower::open(&folder).ok()?.poll(10).status;
        (status.problem == Some(RunProblem::FolderDeleted)).then_some(())
    });
    fs::write(go_on, "").unwrap();
    supervisor.wait().unwrap();
    let ran = followed(&folder);
    assert_eq!(ran.texts(StreamName::Out), ["second"]);
    assert_eq!(ran.ending().code, Some(3));
    clean(&ran);
}

#[test]
fn lines_of_the_guard_become_samples_and_counts() {
    let start = r#"[assert-doctor] {"guard":1,"event":"start","t":0.1,"version":"1","pid":1,"hooks":["gather"]}"#;
    let summary = r#"[assert-doctor] {"guard":1,"event":"summary","t":5.0,"final":false,"elapsed":5.0,"ops":{"gather":{"calls":2,"values":8,"min":0,"max":3,"lo":0,"hi":3}},"loader_wait":0.25,"batches":2,"memory":{"allocated":10,"reserved":20,"peak":15,"total":100}}"#;
    let ran = run(
        "guard",
        shell(&format!(
            "echo a; echo '{start}' >&2; echo '{summary}' >&2; echo b"
        )),
    );
    assert_eq!(ran.texts(StreamName::Guard), [start, summary]);
    let guard = &ran.status.guard;
    assert!(guard.started);
    assert_eq!((guard.calls, guard.values, guard.batches), (2, 8, Some(2)));
    let samples = Follower::open(&ran.folder).unwrap().poll(10).samples;
    let [sample] = samples.as_slice() else {
        panic!("{samples:?}");
    };
    assert_eq!((sample.allocated, sample.total), (Some(10), Some(100)));
    clean(&ran);
}

#[test]
fn a_failure_is_noticed_while_the_run_goes_on() {
    let scratch = scratch("failure");
    let go_on = scratch.join("go-on");
    let log = scratch.join("crash.txt");
    let text = "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.\nTraceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\n";
    fs::write(&log, text).unwrap();
    let script = format!(
        "cat '{}' >&2; while [ ! -e '{}' ]; do sleep 0.05; done; exit 1",
        log.display(),
        go_on.display()
    );
    let Prepared { folder, .. } = prepared(&scratch, shell(&script));
    let mut supervisor = supervisor(&folder);
    let mut follower = Follower::open(&folder).unwrap();
    until("the failure", || follower.poll(10).status.failed_at_ms);
    assert_eq!(follower.poll(10).status.state, RunState::Running);
    fs::write(go_on, "").unwrap();
    let ran = followed(&folder);
    supervisor.wait().unwrap();
    let failed = ran.status.failed_at_ms.unwrap();
    assert!(failed < ran.ending().elapsed_ms);
    clean(&ran);
}

/// What a failed check prints, after and before more than a small disk holds.
const FLOOD_WITH_CRASH: &str = r"
yes '0123456789 some output line' | head -c 300000
echo '../aten/src/ATen/native/cuda/Loss.cu:242: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.'
echo 'RuntimeError: CUDA error: device-side assert triggered'
yes 'abc more' | head -c 400000
exit 1
";

#[test]
fn a_file_that_may_not_grow_keeps_the_failure_and_counts_what_is_lost() {
    let scratch = scratch("limited");
    let Prepared { folder, .. } = prepared(&scratch, shell(FLOOD_WITH_CRASH));
    // In blocks of 512 bytes: 100 KiB, less than the output, more than the record.
    let script = format!(
        "ulimit -f 200; exec '{}' {} '{}'",
        env!("CARGO_BIN_EXE_assert-doctor-cli"),
        rerun::ARGUMENT,
        folder.display()
    );
    let status = Command::new("/bin/sh").arg("-c").arg(script).status();
    assert_eq!(status.unwrap().code(), Some(0));
    let ran = followed(&folder);
    assert_eq!(ran.status.state, RunState::Ended);
    let left_out = ran.ending().left_out;
    let Some(RunProblem::NotWritten { lost, .. }) = ran.status.problem else {
        panic!("{:?}", ran.status.problem);
    };
    assert_eq!(lost, left_out);
    let text = String::from_utf8(ran.log.clone()).unwrap();
    let marked = |line: &str| {
        let rest = line.strip_prefix("[assert-doctor] ")?;
        rest.strip_suffix(" bytes left out here")?
            .parse::<u64>()
            .ok()
    };
    let marks: u64 = text.lines().filter_map(marked).sum();
    assert_eq!(marks, left_out);
    let kept: usize = text
        .split_inclusive('\n')
        .filter(|line| marked(line.trim_end()).is_none())
        .map(str::len)
        .sum();
    // A line that was cut ends before the next begins.
    let counted = kept as u64 + left_out;
    assert!(
        (ran.status.bytes..ran.status.bytes + 8).contains(&counted),
        "{counted}"
    );
    assert!(text.contains("Assertion `t >= 0"), "the failure is lost");
    // The newest line is cut by `head` itself.
    assert!(text.ends_with("abc more\nabc \n"), "{left_out}");
    assert!(ran.status.failed_at_ms.is_some());
    let case: RunCase =
        serde_json::from_slice(&fs::read(folder.join("case.json")).unwrap()).unwrap();
    assert_eq!(case.facts.assertions.len(), 1);
    clean(&ran);
}

#[test]
fn a_failed_check_within_a_progress_bar_is_kept() {
    let ran = run(
        "glued",
        shell(
            r"printf '\rEpoch 1:  1%%|# | 1/50\rEpoch 1:  2%%|# | 2/50../aten/src/ATen/native/cuda/Loss.cu:242: f: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0` failed.\rEpoch 1:  4%%|# | 4/50\nRuntimeError: CUDA error: device-side assert triggered\n' >&2",
        ),
    );
    let case: RunCase =
        serde_json::from_slice(&fs::read(ran.folder.join("case.json")).unwrap()).unwrap();
    assert_eq!(case.facts.assertions.len(), 1);
    clean(&ran);
}
