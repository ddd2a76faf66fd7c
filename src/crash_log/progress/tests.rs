//! Shapes of progress and phases.

use super::*;

fn check(
    text: &str,
    phase: Option<Phase>,
    epoch: Option<(u64, Option<u64>)>,
    step: Option<(u64, Option<u64>)>,
    line: Option<u64>,
) {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut progress = Progress::default();
    read_progress(&lines, 1, &mut progress);
    assert_eq!(
        (progress.phase, progress.epoch, progress.step, progress.line),
        (phase, epoch, step, line),
        "{text}"
    );
}

#[test]
fn shapes_of_progress() {
    use Phase as P;
    check(
        "Epoch 3:  41%|████      | 160/390 [01:22<01:58,  1.94it/s]",
        Some(P::Training),
        Some((3, None)),
        Some((160, Some(390))),
        Some(1),
    );
    check(
        "2021 - mmdet - INFO - Epoch [1][50/7330]\tlr: 1.000e-04, loss: 1",
        None,
        Some((1, None)),
        Some((50, Some(7330))),
        Some(1),
    );
    check(
        "Epoch: [17][120/3570]\tTime 0.412 (0.431)\nTrue\n136",
        None,
        Some((17, None)),
        Some((120, Some(3570))),
        Some(1),
    );
    check(
        "Epoch [1/50], Step [70/612], Loss: 0.4",
        None,
        Some((1, Some(50))),
        Some((70, Some(612))),
        Some(1),
    );
    check(
        "[3/100][40/3210] Loss: 41.882",
        None,
        Some((3, Some(100))),
        Some((40, Some(3210))),
        Some(1),
    );
    check(
        "       1/10      8.10G      1.249      3.918         41        640:  50%|█████     | 4/8 [00:04<00:04]",
        Some(P::Training),
        Some((1, Some(10))),
        Some((4, Some(8))),
        Some(1),
    );
    check(
        "x INFO misc.py line 118] Train: [1/100][6/3060] Data 0.003 (0.003) Batch 0.274",
        Some(P::Training),
        Some((1, Some(100))),
        Some((6, Some(3060))),
        Some(1),
    );
    check(
        "batch 0, epoch 0/10 global average objf: 1.0",
        None,
        Some((0, Some(10))),
        Some((0, None)),
        Some(1),
    );
    check(
        "iter 200/4000 loss 2.1",
        None,
        None,
        Some((200, Some(4000))),
        Some(1),
    );
    check(
        "DriveTask. Step: 10000. Time Elapsed: 17.855 s. Training.",
        Some(P::Training),
        None,
        Some((10000, None)),
        Some(1),
    );
    check(
        "{'loss': 0.5, 'learning_rate': 1e-5, 'epoch': 1.2}",
        None,
        Some((1, None)),
        None,
        Some(1),
    );
    check(
        "07/02 10:52 - mmengine - INFO - Epoch(val)  [1][ 50/100]  eta",
        Some(P::Validation),
        Some((1, None)),
        Some((50, Some(100))),
        Some(1),
    );
    check(
        "Epoch 4/10\n 12/100 [==>...........................] - ETA: 1:02 - loss: 2",
        None,
        Some((4, Some(10))),
        Some((12, Some(100))),
        Some(2),
    );
    check(
        "第 3 轮 训练 步 20",
        Some(P::Training),
        Some((3, None)),
        None,
        Some(1),
    );
    check(
        "num_epochs: 30\n2 trainable iterations per epoch. 300 max iterations\nbatch_size: 16",
        None,
        None,
        None,
        None,
    );
}

#[test]
fn phases_and_what_came_before_them() {
    use Phase as P;
    check(
        "       1/10      8.12G      1.251   3.9   41   640: 100%|██████████| 8/8 [00:08]\n      Class     Images  Instances      Box(P          R      mAP50  mAP50-95):   0%|          | 1/1534 [00:01<28:22]",
        Some(P::Validation),
        Some((1, Some(10))),
        Some((1, Some(1534))),
        Some(2),
    );
    check(
        "*** Train ***\n  0%|          | 0/993 [00:00<?, ?it/s]",
        Some(P::Training),
        None,
        Some((0, Some(993))),
        Some(2),
    );
    check(
        "Train: [1/100][6/3060] loss: 3\n>>>>>> Start Evaluation >>>>>>",
        Some(P::Validation),
        Some((1, Some(100))),
        None,
        Some(1),
    );
    check(
        "Loading checkpoint shards:  30%|███       | 3/10 [00:01<00:03]",
        Some(P::Loading),
        None,
        Some((3, Some(10))),
        Some(1),
    );
    check(
        "Validation DataLoader 0:  50%|█████     | 5/10 [00:01]",
        Some(P::Validation),
        None,
        Some((5, Some(10))),
        Some(1),
    );
    check("train dataloader has 37 iters", None, None, None, None);
}

#[test]
fn phases_of_functions() {
    let phase = |functions: &[&str]| {
        let frames: Vec<Frame> = functions
            .iter()
            .map(|f| Frame {
                file: String::new(),
                line: 1,
                function: Some((*f).to_owned()),
                code: None,
                log_line: 1,
                code_line: None,
                last_log_line: 1,
                library: false,
            })
            .collect();
        phase_of_frames(&frames)
    };
    assert_eq!(
        phase(&[
            "<module>",
            "train",
            "evaluate",
            "prediction_step",
            "forward"
        ]),
        Some(Phase::Validation)
    );
    assert_eq!(
        phase(&["main", "train_one_epoch", "forward"]),
        Some(Phase::Training)
    );
    assert_eq!(
        phase(&["main", "generate", "_sample"]),
        Some(Phase::Inference)
    );
    assert_eq!(phase(&["main", "forward"]), None);
}

#[test]
fn rates_of_bars() {
    let rate = |text: &str| {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut progress = Progress::default();
        read_progress(&lines, 1, &mut progress);
        progress.rate.map(|rate| (rate * 1000.0).round() / 1000.0)
    };
    for (text, expected) in [
        (
            "Epoch 3:  41%|████  | 160/390 [01:22<01:58,  1.94it/s]",
            Some(1.94),
        ),
        (" 2%|▏ | 2/100 [00:04<03:16,  2.50s/it]", Some(0.4)),
        (" 2%|▏ | 2/100 [02:34<03:16, 5.10it/s, loss=0.3]", Some(5.1)),
        (" 2%|▏ | 2/100 [02:34<03:16, 4.00s/batch]", Some(0.25)),
        (" 2%|▏ | 2/100 [02:34<03:16, 1.50kit/s]", Some(1500.0)),
        (
            " 12/100 [==>....] - ETA: 5s - loss: 0.1 - 50ms/step",
            Some(20.0),
        ),
        (
            "Epoch 0/9 ━━━━━ 40/938 0:00:12 • 0:03:42 4.05it/s loss: 2.1",
            Some(4.05),
        ),
        // Another unit, nothing measured yet, or no bar at all.
        (" 2%|▏ | 2/100 [02:34<03:16, 12.0MB/s]", None),
        (" 0%|  | 0/100 [00:00<?, ?it/s]", None),
        (" 1%|  | 1/100 [00:00<00:01, 0.00it/s]", None),
        ("we reached 5.1it/s today", None),
    ] {
        assert_eq!(rate(text), expected, "{text}");
    }
    // The newest counts, and a line of the guard behind a bar is no part of it.
    let text = " 1%| | 1/100 [0:01<0:09, 1.00it/s]\n 2%| | 2/100 [0:01<0:09, 2.00it/s][assert-doctor] {\"x\":\"9.00it/s\"}";
    assert_eq!(rate(text), Some(2.0));
}
