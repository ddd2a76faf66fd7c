use super::*;
use crate::bounds::ScriptRemark;
use crate::knowledge::Certainty;
use crate::knowledge::Certainty::{Likely, Possible};
use crate::labels::Role::{self, Class, Position, Token, TokenType};

#[track_caller]
fn found(text: &str) -> BoundsFound {
    let path: Arc<Path> = Arc::from(Path::new("train.py"));
    on_large_stack(|| of_source(text, &path)).unwrap()
}

#[track_caller]
fn check(text: &str, expected: &[(Role, i64, u64, &str, Certainty)]) {
    let bounds = found(text).bounds;
    let got: Vec<_> = bounds
        .iter()
        .map(|b| {
            (
                b.role,
                b.hi,
                b.line.unwrap_or(0),
                b.what.as_str(),
                b.certainty,
            )
        })
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|&(role, hi, line, what, certainty)| (role, hi.into(), line, what, certainty))
        .collect();
    assert_eq!(got, expected, "{text}");
}

#[test]
fn named_numbers() {
    check(
        "import torch\nNUM_CLASSES = 10\n",
        &[(Class, 9, 2, "NUM_CLASSES = 10", Likely)],
    );
    check(
        "K = 4\nmodel = build(num_classes=K + 1)\n",
        &[(Class, 4, 2, "num_classes=K + 1", Likely)],
    );
    check(
        "class C:\n    vocab_size: int = 50_257\n    block_size: int = 1 << 10\n",
        &[
            (Token, 50256, 2, "vocab_size: int = 50_257", Likely),
            (Position, 1023, 3, "block_size: int = 1 << 10", Likely),
        ],
    );
    check(
        "cfg = {'num_classes': 7}\ncfg['type_vocab_size'] = 2\nnet = Net(cfg['num_classes'])\n",
        &[
            (Class, 6, 1, "'num_classes': 7", Likely),
            (TokenType, 1, 2, "cfg['type_vocab_size'] = 2", Likely),
        ],
    );
    check(
        "CLASSES = ('cat', 'dog', 'bird')\nn_classes = len(CLASSES)\n",
        &[(Class, 2, 1, "CLASSES (3)", Likely)],
    );
    check("num_classes = len(dataset.classes)\n", &[]);
    check(
        "num_classes = 1\nx = f(num_classes=0)\nnum_labels = -3\n",
        &[],
    );
    check(
        "net = smp.Unet('resnet34', classes=12)\nnet.predict(classes=[0, 2])\n",
        &[(Class, 11, 1, "classes=12", Possible)],
    );
    // The number of channels is called so, too.
    check("nc = 3\n", &[(Class, 2, 1, "nc = 3", Possible)]);
}

#[test]
fn statements_that_differ_are_guesses() {
    check(
        "num_classes = 10\nif coco:\n    num_classes = 80\n",
        &[
            (Class, 9, 1, "num_classes = 10", Possible),
            (Class, 79, 3, "num_classes = 80", Possible),
        ],
    );
    check(
        "num_classes = 10\nnum_classes += 1\n",
        &[(Class, 9, 1, "num_classes = 10", Possible)],
    );
    check(
        "p.add_argument('--num-classes', type=int, default=10)\na = p.parse_args()\nnet = Net(num_classes=a.num_classes)\n",
        &[(
            Class,
            9,
            1,
            "p.add_argument('--num-classes', type=int, default=10)",
            Possible,
        )],
    );
    check(
        "def net(num_classes=1000):\n    pass\nm = net(num_classes=5)\n",
        &[
            (Class, 4, 3, "num_classes=5", Likely),
            (Class, 999, 1, "num_classes=1000", Possible),
        ],
    );
}

#[test]
fn last_layers() {
    let loss = "loss = nn.CrossEntropyLoss()\n";
    let check = |text: &str, expected: &[(Role, i64, u64, &str, Certainty)]| {
        check(&format!("{text}{loss}"), expected);
    };
    check(
        "C = 10\nclass Net(nn.Module):\n    def __init__(self):\n        self.fc1 = nn.Linear(784, 128)\n        self.fc2 = nn.Linear(128, C)\n",
        &[(Class, 9, 5, "nn.Linear(128, C)", Likely)],
    );
    check(
        "model = resnet18(num_classes=1000)\nmodel.fc = nn.Linear(512, 10)\n",
        &[
            (Class, 999, 1, "num_classes=1000", Possible),
            (Class, 9, 2, "nn.Linear(512, 10)", Possible),
        ],
    );
    check(
        "m = vgg16()\nm.classifier[6] = nn.Linear(in_features=4096, out_features=5)\n",
        &[(
            Class,
            4,
            2,
            "nn.Linear(in_features=4096, out_features=5)",
            Likely,
        )],
    );
    check(
        "net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)\n",
        &[(Class, 2, 1, "nn.Linear(16, 3)", Likely)],
    );
    check(
        "class Seg(nn.Module):\n    def __init__(self):\n        self.up = nn.Conv2d(64, 64, 3)\n        self.outc = nn.Conv2d(64, 21, kernel_size=1)\n",
        &[(Class, 20, 4, "nn.Conv2d(64, 21, kernel_size=1)", Likely)],
    );
    // A regression; an inner block.
    check(
        "class A(nn.Module):\n    def __init__(self):\n        self.fc = nn.Linear(9, 1)\n",
        &[],
    );
    check(
        "class Block(nn.Module):\n    def __init__(self):\n        self.proj = nn.Linear(64, 64)\n",
        &[(Class, 63, 3, "nn.Linear(64, 64)", Possible)],
    );
}

#[test]
fn embeddings() {
    check(
        "class M(nn.Module):\n    def __init__(self, d):\n        self.tok_emb = nn.Embedding(1000, d)\n        self.pos_emb = nn.Embedding(num_embeddings=128, embedding_dim=d)\n        self.label_emb = nn.Embedding(10, d)\n",
        &[
            (Class, 9, 5, "self.label_emb = nn.Embedding(10, d)", Likely),
            (
                Token,
                999,
                3,
                "self.tok_emb = nn.Embedding(1000, d)",
                Likely,
            ),
            (
                Position,
                127,
                4,
                "self.pos_emb = nn.Embedding(num_embeddings=128, embedding_dim=d)",
                Likely,
            ),
        ],
    );
    check(
        "self.user_emb = nn.Embedding(943, 8)\nself.item_emb = nn.Embedding(1682, 8)\n",
        &[
            (
                Token,
                942,
                1,
                "self.user_emb = nn.Embedding(943, 8)",
                Possible,
            ),
            (
                Token,
                1681,
                2,
                "self.item_emb = nn.Embedding(1682, 8)",
                Possible,
            ),
        ],
    );
}

#[test]
fn embeddings_inside_other_layers() {
    check(
        "net = nn.Sequential(nn.Embedding(300, 8), nn.Flatten())\n",
        &[(Token, 299, 1, "nn.Embedding(300, 8)", Likely)],
    );
    check(
        "@dataclass\nclass C:\n    vocab_size: int = 50304\n    block_size: int = 1024\nself.t = nn.ModuleDict(dict(\n    wte = nn.Embedding(config.vocab_size, 8),\n    wpe = nn.Embedding(config.block_size, 8),\n))\n",
        &[
            (Token, 50303, 3, "vocab_size: int = 50304", Likely),
            (Position, 1023, 4, "block_size: int = 1024", Likely),
        ],
    );
}

#[test]
fn ignore_values() {
    let ignore = found(
        "IGNORE = 255\nloss = nn.CrossEntropyLoss(ignore_index=IGNORE)\nx = f(ignore_index=-100)\n",
    )
    .ignore;
    assert_eq!(
        ignore,
        [
            (255, "ignore_index=IGNORE".to_owned()),
            (-100, "ignore_index=-100".to_owned())
        ]
    );
}

#[test]
fn workers_and_the_guard() {
    #[track_caller]
    fn check(text: &str, workers: &[(i64, u64)], guard_missing: Option<u64>) {
        let remarks = found(text).script;
        let mut expected: Vec<ScriptRemark> = workers
            .iter()
            .map(|&(count, line)| ScriptRemark::Workers { count, line })
            .collect();
        expected.extend(guard_missing.map(|line| ScriptRemark::NoMainGuard { line }));
        assert_eq!(remarks, expected, "{text}");
    }
    check(
        "dl = DataLoader(ds, num_workers=4)\nfor x in dl:\n    f(x)\n",
        &[(4, 1)],
        Some(2),
    );
    check(
        "dl = DataLoader(ds, num_workers=0)\nfor x in dl:\n    f(x)\n",
        &[(0, 1)],
        None,
    );
    check(
        "N = 2\ndl = DataLoader(ds, num_workers=N)\nif __name__ == '__main__':\n    for i, x in enumerate(dl):\n        f(x)\n",
        &[(2, 2)],
        None,
    );
    check(
        "def main():\n    dl = DataLoader(ds, num_workers=8)\n    for x in tqdm(dl):\n        f(x)\nmain()\n",
        &[(8, 2)],
        Some(3),
    );
    check(
        "def main():\n    dl = DataLoader(ds, num_workers=8)\n    for x in dl:\n        f(x)\nif __name__ == \"__main__\":\n    main()\n",
        &[(8, 2)],
        None,
    );
    check(
        "dl = DataLoader(ds, num_workers=8)\ntrainer.fit(model, dl)\n",
        &[(8, 1)],
        Some(2),
    );
    check(
        "kw = {'num_workers': 2}\ndl = DataLoader(ds, **kw)\nTrainingArguments(dataloader_num_workers=3)\n",
        &[(2, 2), (3, 3)],
        None,
    );
    // A module that only defines.
    check(
        "def loader():\n    return DataLoader(ds, num_workers=8)\n",
        &[(8, 2)],
        None,
    );
}

#[test]
fn scripts_that_are_no_python() {
    #[track_caller]
    fn check(text: &str, line: u64) {
        let found = found(text);
        assert!(found.bounds.is_empty());
        let [trouble] = found.troubles.as_slice() else {
            panic!("{:?}", found.troubles);
        };
        assert_eq!(trouble.place.line, Some(line), "{trouble:?}");
        assert!(matches!(trouble.kind, TroubleKind::BadLine(_)));
    }
    check("num_classes = 10\nprint 'hello'\n", 2);
    check("num_classes = 10\nf(1,\n", 3);
    // Lines of a notebook are allowed.
    assert_eq!(found("!pip install x\nnum_classes = 10\n").bounds.len(), 1);
}

#[test]
fn hostile_scripts_end() {
    let path: Arc<Path> = Arc::from(Path::new("train.py"));
    let run = |text: String| on_large_stack(|| of_source(&text, &path));
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("[", "", "]"),
        ("-", "1", ""),
        ("not ", "x", ""),
        ("lambda a,: ", "1", ""),
        ("x if y else ", "z", ""),
        ("f(", "1", ")"),
        ("1 + ", "1", ""),
        ("a.", "b", ""),
        ("a**", "b", ""),
        ("", "f", "()"),
        ("", "f", "[0]"),
        ("{0: ", "1", "}"),
        ("f\"{", "1", "}\""),
    ] {
        let text = format!(
            "x = {}{middle}{}\n",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        match run(text) {
            Err(LabelError::TooDeep) => {}
            // What the lexer takes for a string without end is a syntax error.
            Ok(found) => assert!(!found.troubles.is_empty(), "{open}"),
            Err(error) => panic!("{open}: {error}"),
        }
        // Just below the limit the stack holds.
        let text = format!("x = {}{middle}{}\n", open.repeat(900), close.repeat(900));
        assert!(!matches!(run(text), Err(LabelError::Fault(_))), "{open}");
    }
    let mut blocks = String::new();
    for i in 0..1_000 {
        blocks.push_str(&" ".repeat(i));
        blocks.push_str("if x:\n");
    }
    assert!(matches!(run(blocks), Err(LabelError::TooDeep)));
    // Names that double at every step.
    let doubling: Vec<String> = (0..60)
        .map(|i| format!("a{i} = a{} + a{}\n", i + 1, i + 1))
        .collect();
    assert!(
        run(doubling.concat() + "num_classes = a0\n")
            .unwrap()
            .bounds
            .is_empty()
    );
    // Long, not deep.
    let names: Vec<String> = (0..200_000).map(|i| format!("'c{i}'")).collect();
    assert_eq!(
        run(format!("CLASSES = [{}]\n", names.join(", ")))
            .unwrap()
            .bounds
            .len(),
        1
    );
}
