//! The guard beyond its checks: its lines, its three forms, the shim for the CPU, what it costs.

use serde_json::{Value, json};

use crate::cases::fixtures;
use crate::guard::{GUARDED, guarded, no_python, python, step};

/// A check may wait for the GPU once: one copy of a few numbers, whatever the operation.
#[test]
fn a_good_value_costs_one_copy_from_the_gpu() {
    if no_python() {
        return;
    }
    for (numbers, statement) in [
        (2, "F.cross_entropy(x, t([0, 3, 1]))"),
        (
            2,
            "F.cross_entropy(x, t([0, 3, -100])); torch.copies.clear(); F.cross_entropy(x, t([0, -100, 1]))",
        ),
        (2, "F.embedding(t([1, 2]), x)"),
        (4, "x[t([0, 1]), t([0, 1])]"),
        (3, "torch.multinomial(t([0.5, 0.5]), 1)"),
    ] {
        let script = step(&format!(
            "torch.on_gpu = True; t = lambda v: torch.tensor(v, device='cuda:0'); {statement}"
        ));
        let run = guarded(&script);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(
            run.out.trim_end().ends_with(&format!(" [{numbers}]")),
            "{statement}: {}",
            run.out
        );
    }
}

#[test]
fn its_own_fault_costs_a_check_and_not_the_training() {
    if no_python() {
        return;
    }
    let broken = "torch.Tensor.min = lambda self: 1 / 0";
    let run = guarded(&step(&format!(
        "{broken}; F.one_hot(torch.tensor([9]), 3); F.one_hot(torch.tensor([9]), 3)"
    )));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("['one_hot', 'one_hot']"));
    let note = run.only("note");
    assert_eq!(
        (&note["id"], &note["op"]),
        (&json!("error"), &json!("one_hot"))
    );
    assert!(
        note["message"]
            .as_str()
            .unwrap()
            .contains("ZeroDivisionError")
    );
    // An error of an earlier kernel, which shows in the guard's own reading, is not the guard's.
    let earlier = "def late(self):\n        raise RuntimeError('CUDA error: device-side assert triggered')\n    torch.Tensor.min = late";
    let run = guarded(&step(&format!(
        "{earlier}\n    F.one_hot(torch.tensor([1]), 3)"
    )));
    assert_eq!(run.code, Some(1));
    assert!(
        run.events("note").is_empty() && run.err.contains("CUDA error: device-side assert"),
        "{}",
        run.err
    );
}

#[test]
fn names_imported_before_it_are_seen() {
    if no_python() {
        return;
    }
    let script = "from torch import gather, zeros, tensor\nfrom torch.nn.functional import one_hot\n\
        import assert_doctor_guard; assert_doctor_guard.install(); assert_doctor_guard.install()\n\
        for call in (lambda: gather(zeros(3), 0, tensor([3])), lambda: one_hot(tensor([3]), 3)):\n    \
        try: call()\n    except assert_doctor_guard.AssertDoctorGuardError as error: print(str(error).splitlines()[0])\n";
    let run = python(&[("train.py", script)], &[], &[], &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(
        run.out,
        "gather: index[0] is 3, allowed is 0 to 2 (input.size(0) is 3).\n\
         one_hot: input[0] is 3, allowed is 0 to 2 (num_classes is 3).\n"
    );
}

#[test]
fn start_and_summary() {
    if no_python() {
        return;
    }
    let script = "import time, torch, torch.nn.functional as F\nfrom torch.utils.data import DataLoader\nimport assert_doctor_guard as guard\n\
        guard.SUMMARY_SECONDS = 0.0; guard._state.next_summary = 0.0\n\
        F.embedding(torch.tensor([2, 5]), torch.zeros(7, 1)); F.embedding(torch.tensor([1]), torch.zeros(6, 1))\n\
        for batch in DataLoader([0.0, 0.2, 0.2]): pass\n\
        @guard.memory_monitor('step')\ndef work(a): return a\nwork(1)\nwith guard.memory_monitor('more'): pass\n";
    let variables = [
        GUARDED,
        ("RANK", "3"),
        ("WORLD_SIZE", "4"),
        ("CUDA_LAUNCH_BLOCKING", "1"),
    ];
    let run = python(&[("train.py", script)], &[], &[], &variables);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let start = run.only("start");
    for (field, value) in [
        ("guard", json!(1)),
        ("torch", json!("2.15.0")),
        ("gpu", json!(null)),
        ("launch_blocking", json!(true)),
        ("cpu", json!(false)),
        ("workers", json!(null)),
        ("world", json!(4)),
        ("rank", json!(3)),
    ] {
        assert_eq!(start[field], value, "{field}");
    }
    assert_eq!(start["hooks"].as_array().unwrap().len(), 13);
    let summaries = run.events("summary");
    assert!(summaries.len() > 2, "{}", run.err);
    let (last, before) = summaries.split_last().unwrap();
    assert!(before.iter().all(|line| line["final"] == false) && last["final"] == true);
    let seen = json!({"calls": 2, "values": 3, "min": 1, "max": 5, "lo": 0, "hi": 5});
    assert_eq!(last["ops"], json!({"embedding": seen}));
    assert_eq!(last["batches"], 3);
    // After the first batch the loop only waited.
    assert!(last["loader_wait"].as_f64().unwrap() > 0.5, "{last}");
    assert_eq!(last["memory"], Value::Null);
    let names: Vec<&Value> = run
        .events("memory")
        .iter()
        .map(|line| &line["name"])
        .collect();
    assert_eq!(names, ["step", "more"]);
    assert!(
        run.err
            .lines()
            .all(|line| line.len() <= 6000 && line.is_ascii())
    );
}

#[test]
fn no_line_is_too_long() {
    if no_python() {
        return;
    }
    let long = "z".repeat(9000);
    let run = guarded(&step(&format!("F.one_hot(torch.tensor([9]), 3) # {long}")));
    let line = run.only("violation");
    assert!(line["code"].as_str().unwrap().ends_with("..."));
    assert_eq!((&line["value"], &line["line"]), (&json!(9), &json!(4)));
    let longest = run
        .err
        .lines()
        .filter(|line| line.starts_with("[assert-doctor]"))
        .map(str::len)
        .max();
    assert!(longest.unwrap() <= 6000);
}

#[test]
fn the_cpu_takes_what_was_written_for_a_gpu() {
    if no_python() {
        return;
    }
    let script = "import torch, torch.nn as nn\nassert torch.cuda.is_available() and torch.cuda.device_count() == 1\n\
        torch.cuda.manual_seed_all(1); torch.cuda.synchronize(); torch.cuda.Event().record()\n\
        net = nn.CrossEntropyLoss().cuda().to('cuda:0').to(torch.device('cuda'))\n\
        x = torch.zeros(2, 3, device='cuda').cuda().to('cuda').to(0).to(device=torch.device('cuda:1'))\n\
        print(x.device, torch.load('a.pt', map_location='cuda:0'), torch.load('a.pt'))\n\
        import json; print(json.JSONDecoder(object_hook=lambda _: torch.cuda.is_available()).decode('{}'))\n";
    let plain = python(&[("train.py", script)], &[], &[], &[GUARDED]);
    assert_eq!(plain.code, Some(1), "without the shim it cannot run");
    let run = python(
        &[("train.py", script)],
        &[],
        &[],
        &[("ASSERT_DOCTOR_CPU", "1")],
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.out, "cpu cpu cpu\nTrue\n");
    assert_eq!(run.only("start")["cpu"], true);
    assert_eq!(run.only("start")["hooks"], json!([]));
    let note = run.only("note");
    assert_eq!(
        (&note["id"], &note["line"]),
        (&json!("cpu-redirect"), &json!(4))
    );
}

#[test]
fn workers_are_forced_for_every_loader() {
    if no_python() {
        return;
    }
    let script = "from torch.utils.data import DataLoader\n\
        a = DataLoader([], 1, False, None, None, 4, prefetch_factor=2, persistent_workers=True, timeout=9)\n\
        b = DataLoader([], num_workers=4)\nprint(a.num_workers, b.num_workers, DataLoader([]).num_workers)\n";
    for (number, out, notes) in [("0", "0 0 0\n", 1), ("2", "2 2 2\n", 2)] {
        let variables = [("ASSERT_DOCTOR_WORKERS", number)];
        let run = python(&[("train.py", script)], &[], &[], &variables);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(run.out, out);
        assert_eq!(
            run.events("note")
                .iter()
                .filter(|note| note["id"] == "workers")
                .count(),
            1
        );
        assert!(run.events("note").len() <= notes);
    }
}

#[test]
fn python_m_behaves_like_python() {
    if no_python() {
        return;
    }
    let script = "import sys, helper\nprint(sys.argv[1:], __name__, __file__, helper.here)\nif sys.argv[1] == 'exit': sys.exit(7)\n\
        if sys.argv[1] == 'fail': raise ValueError('mine')\nimport torch\ntorch.zeros(2)[torch.tensor([2])]\n";
    let files = [("train.py", script), ("helper.py", "here = 'found'\n")];
    let run = |arguments: &[&str]| python(&files, &["-m", "assert_doctor_guard"], arguments, &[]);

    let exits = run(&["exit", "a b", "--cpu"]);
    assert_eq!(exits.code, Some(7), "{}", exits.err);
    assert_eq!(
        exits.out,
        "['exit', 'a b', '--cpu'] __main__ train.py found\n"
    );
    assert_eq!(exits.err, "", "nothing is said where PyTorch is not used");

    let fails = run(&["fail"]);
    assert_eq!(fails.code, Some(1));
    assert!(
        !fails.err.contains("assert_doctor_guard") && fails.err.contains("line 4, in <module>"),
        "{}",
        fails.err
    );

    let caught = run(&["index"]);
    assert_eq!(caught.code, Some(1));
    assert_eq!(caught.only("violation")["line"], 6);

    let module = [
        "-m",
        "assert_doctor_guard",
        "--workers",
        "0",
        "-m",
        "helper",
    ];
    let module = python(&files, &module, &[], &[]);
    assert_eq!(module.code, Some(0), "{}", module.err);
    for wrong in [
        &["-m", "assert_doctor_guard", "--workers"][..],
        &["-m", "assert_doctor_guard", "--no"],
    ] {
        let run = python(&files, wrong, &[], &[]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains("usage: "), "{}", run.err);
    }
}

#[test]
fn sitecustomize_gives_way_to_the_users_own() {
    if no_python() {
        return;
    }
    let own = "import builtins\nbuiltins.own = 'own'\n";
    let script = "import sys\nprint(own, 'assert_doctor_guard' in sys.modules, sys.modules['sitecustomize'].__file__.split('site')[-2][-1:])\n";
    let files = [("train.py", script), ("site/sitecustomize.py", own)];
    let run = python(&files, &[], &[], &[GUARDED]);
    // A process without PyTorch never loads the guard.
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "own False /\n"),
        "{}",
        run.err
    );
    assert_eq!(run.err, "");

    let with_torch = format!("import torch\n{script}assert torch.__spec__.loader.get_filename\n");
    let files = [
        ("train.py", with_torch.as_str()),
        ("site/sitecustomize.py", own),
    ];
    let run = python(&files, &[], &[], &[GUARDED]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "own True /\n"),
        "{}",
        run.err
    );
    run.only("start");
    // Nothing is asked for: nothing happens. Isolated: it is not even loaded.
    let run = python(&files, &[], &[], &[]);
    assert_eq!(
        (run.code, run.out.as_str(), run.err.as_str()),
        (Some(0), "own False /\n", "")
    );
    let run = python(
        &[("train.py", "print('isolated')\n")],
        &["-I"],
        &[],
        &[GUARDED],
    );
    assert_eq!(
        (run.code, run.out.as_str(), run.err.as_str()),
        (Some(0), "isolated\n", "")
    );

    // An error in the user's own file is theirs, as without the guard.
    let files = [
        ("train.py", "import torch\n"),
        ("site/sitecustomize.py", "1 / 0\n"),
    ];
    let run = python(&files, &[], &[], &[GUARDED]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("ZeroDivisionError"), "{}", run.err);
    run.only("start");
}

/// The lines that the program's reader is tested with are those of real runs, one kind of each operation at least.
#[test]
fn the_lines_of_real_runs_cover_every_operation() {
    let text = std::fs::read_to_string(fixtures().join("guard/violations.txt")).unwrap();
    let mut seen: Vec<String> = Vec::new();
    for line in text.lines() {
        let json = line.strip_prefix("[assert-doctor] ").unwrap();
        let value: Value = serde_json::from_str(json).unwrap();
        assert_eq!(value["file"], "/home/u/train.py");
        seen.push(value["op"].as_str().unwrap().to_owned());
    }
    seen.dedup();
    assert_eq!(seen.len(), 13, "{seen:?}");
}
