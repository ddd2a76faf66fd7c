use super::*;

#[track_caller]
fn found(text: &str) -> BoundsFound {
    let path: Arc<Path> = Arc::from(Path::new("config.json"));
    of_json(&json::parse(text.as_bytes()).unwrap(), &path)
}

#[track_caller]
fn check(text: &str, expected: &[(Role, i64, &str, Certainty)]) {
    let bounds = found(text).bounds;
    let got: Vec<_> = bounds
        .iter()
        .map(|b| (b.role, b.hi, b.what.as_str(), b.certainty))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|&(role, hi, what, certainty)| (role, hi.into(), what, certainty))
        .collect();
    assert_eq!(got, expected, "{text}");
}

use Certainty::{Certain, Likely, Possible};
use Role::{Class, Position, Token, TokenType};

#[test]
fn sizes_of_language_models() {
    check(
        r#"{"model_type": "llama", "vocab_size": 32000, "max_position_embeddings": 2048}"#,
        &[
            (Token, 31999, "vocab_size = 32000", Certain),
            (Position, 2047, "max_position_embeddings = 2048", Possible),
        ],
    );
    check(
        r#"{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 50257, "n_ctx": 1024, "n_positions": 1024,
            "id2label": {"0": "LABEL_0", "1": "LABEL_1"}}"#,
        &[
            (Class, 50256, "vocab_size = 50257", Likely),
            (Token, 50256, "vocab_size = 50257", Certain),
            (Position, 1023, "n_positions = 1024", Certain),
        ],
    );
    check(
        r#"{"model_type": "llava", "text_config": {"vocab_size": 32064, "rope_theta": 1e4, "max_position_embeddings": 4096},
            "vision_config": {"vocab_size": 7}}"#,
        &[
            (Token, 32063, "vocab_size = 32064", Certain),
            (Position, 4095, "max_position_embeddings = 4096", Possible),
        ],
    );
}

#[test]
fn classes_of_classifiers() {
    check(
        r#"{"architectures": ["BertForSequenceClassification"], "model_type": "bert", "vocab_size": 30522, "type_vocab_size": 2,
            "id2label": {"0": "neg", "2": "pos", "1": "neutral"}, "max_position_embeddings": 512}"#,
        &[
            (Class, 2, "id2label (3)", Certain),
            (Token, 30521, "vocab_size = 30522", Certain),
            (Position, 511, "max_position_embeddings = 512", Certain),
            (TokenType, 1, "type_vocab_size = 2", Certain),
        ],
    );
    check(
        r#"{"label2id": {"cat": 0, "dog": 1}, "num_labels": 3}"#,
        &[
            (Class, 1, "label2id (2)", Certain),
            (Class, 2, "num_labels = 3", Certain),
        ],
    );
    check(
        r#"{"architecture": "resnet50", "num_classes": 1000}"#,
        &[(Class, 999, "num_classes = 1000", Certain)],
    );
    // A regression, several labels at once, ids with gaps: no class index.
    check(r#"{"num_labels": 1}"#, &[]);
    check(
        r#"{"num_labels": 6, "problem_type": "multi_label_classification"}"#,
        &[],
    );
    check(r#"{"id2label": {"0": "a", "5": "b"}}"#, &[]);
}

#[test]
fn classes_inside_detector_configurations() {
    check(
        r#"{"model": {"bbox_head": {"num_classes": 80}, "mask_head": {"num_classes": 80}}}"#,
        &[(Class, 79, "model.bbox_head.num_classes = 80", Likely)],
    );
    check(
        r#"{"MODEL": {"ROI_HEADS": {"NUM_CLASSES": 20}, "RETINANET": {"NUM_CLASSES": 80}}}"#,
        &[
            (Class, 19, "MODEL.ROI_HEADS.NUM_CLASSES = 20", Possible),
            (Class, 79, "MODEL.RETINANET.NUM_CLASSES = 80", Possible),
        ],
    );
}

#[test]
fn ignore_values_and_nothing() {
    let segformer = found(r#"{"semantic_loss_ignore_index": 255, "num_labels": 150}"#);
    assert_eq!(
        segformer.ignore,
        [(255, "semantic_loss_ignore_index = 255".to_owned())]
    );
    assert!(found(r#"{"name": "x", "learning_rate": 0.1}"#).is_empty());
    assert!(found("[1, 2]").is_empty());
}
