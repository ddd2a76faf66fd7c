use super::*;

#[track_caller]
fn check(tensors: &[(&str, &[u64])], expected: &[(Role, i64, &str)]) {
    let path: Arc<Path> = Arc::from(Path::new("model.safetensors"));
    let infos: Vec<TensorInfo> = tensors
        .iter()
        .map(|&(name, shape)| TensorInfo {
            name: name.to_owned(),
            shape: shape.to_vec(),
            element: None,
        })
        .collect();
    let found = of_tensors(&infos, &path);
    let got: Vec<_> = found
        .bounds
        .iter()
        .filter(|b| b.certainty != Certainty::Possible)
        .map(|b| (b.role, b.hi, b.what.as_str()))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|&(role, hi, what)| (role, hi.into(), what))
        .collect();
    assert_eq!(got, expected);
}

use Role::{Class, Position, Token, TokenType};

#[test]
fn last_layers_of_classifiers() {
    check(
        &[
            ("conv1.weight", &[64, 3, 7, 7]),
            ("layer1.0.se.fc.weight", &[4, 64]),
            ("layer2.0.se.fc.weight", &[8, 128]),
            ("fc.weight", &[10, 512]),
            ("fc.bias", &[10]),
        ],
        &[(Class, 9, "fc.weight [10, 512]")],
    );
    check(
        &[
            ("classifier.0.weight", &[4096, 25088]),
            ("classifier.3.weight", &[4096, 4096]),
            ("classifier.6.weight", &[5, 4096]),
            ("classifier.6.bias", &[5]),
        ],
        &[(Class, 4, "classifier.6.weight [5, 4096]")],
    );
    check(
        &[
            ("module.backbone.conv1.weight", &[64, 3, 7, 7]),
            ("module.classifier.0.convs.0.0.weight", &[256, 2048, 1, 1]),
            ("module.classifier.1.weight", &[256, 256, 3, 3]),
            ("module.classifier.4.weight", &[21, 256, 1, 1]),
            ("module.aux_classifier.4.weight", &[21, 256, 1, 1]),
        ],
        &[(Class, 20, "module.classifier.4.weight [21, 256, 1, 1]")],
    );
    check(
        &[
            ("roberta.embeddings.word_embeddings.weight", &[50265, 768]),
            ("roberta.embeddings.position_embeddings.weight", &[514, 768]),
            ("roberta.embeddings.token_type_embeddings.weight", &[1, 768]),
            ("classifier.dense.weight", &[768, 768]),
            ("classifier.out_proj.weight", &[3, 768]),
        ],
        &[
            (
                Token,
                50264,
                "roberta.embeddings.word_embeddings.weight [50265, 768]",
            ),
            (
                Position,
                513,
                "roberta.embeddings.position_embeddings.weight [514, 768]",
            ),
            (
                TokenType,
                0,
                "roberta.embeddings.token_type_embeddings.weight [1, 768]",
            ),
            (Class, 2, "classifier.out_proj.weight [3, 768]"),
        ],
    );
    check(&[("head.bias", &[100])], &[(Class, 99, "head.bias [100]")]);
}

#[test]
fn small_networks() {
    check(
        &[
            ("conv1.weight", &[32, 1, 3, 3]),
            ("fc1.weight", &[128, 9216]),
            ("fc1.bias", &[128]),
            ("fc2.weight", &[10, 128]),
            ("fc2.bias", &[10]),
        ],
        &[(Class, 9, "fc2.weight [10, 128]")],
    );
    check(
        &[
            ("0.weight", &[128, 784]),
            ("2.weight", &[64, 128]),
            ("10.weight", &[7, 64]),
        ],
        &[(Class, 6, "10.weight [7, 64]")],
    );
    check(
        &[
            ("lstm.weight_ih_l0", &[64, 16]),
            ("linear.weight", &[4, 64]),
        ],
        &[(Class, 3, "linear.weight [4, 64]")],
    );
    check(
        &[
            ("encoder.conv1.weight", &[64, 3, 7, 7]),
            ("segmentation_head.0.weight", &[12, 16, 3, 3]),
        ],
        &[(Class, 11, "segmentation_head.0.weight [12, 16, 3, 3]")],
    );
    // The layer before a regression is no head; a block's second layer is a guess.
    check(
        &[
            ("classifier.3.weight", &[4096, 4096]),
            ("classifier.6.weight", &[1, 4096]),
        ],
        &[],
    );
    check(&[("encoder.block.mlp.fc2.weight", &[64, 256])], &[]);
}

#[test]
fn language_models() {
    check(
        &[
            ("transformer.wte.weight", &[50257, 768]),
            ("transformer.wpe.weight", &[1024, 768]),
            ("transformer.h.0.mlp.c_fc.weight", &[768, 3072]),
            ("lm_head.weight", &[50257, 768]),
        ],
        &[
            (Token, 50256, "transformer.wte.weight [50257, 768]"),
            (Position, 1023, "transformer.wpe.weight [1024, 768]"),
            (Class, 50256, "lm_head.weight [50257, 768]"),
        ],
    );
    check(
        &[
            ("model.decoder.embed_tokens.weight", &[50272, 512]),
            ("model.decoder.embed_positions.weight", &[2050, 512]),
        ],
        &[
            (
                Token,
                50271,
                "model.decoder.embed_tokens.weight [50272, 512]",
            ),
            (
                Position,
                2047,
                "model.decoder.embed_positions.weight [2050, 512], offset 2",
            ),
        ],
    );
    check(
        &[
            ("tok_embeddings.weight", &[32000, 4096]),
            ("layers.0.attention.wo.weight", &[4096, 4096]),
            ("output.weight", &[32000, 4096]),
        ],
        &[
            (Token, 31999, "tok_embeddings.weight [32000, 4096]"),
            (Class, 31999, "output.weight [32000, 4096]"),
        ],
    );
}

#[test]
fn what_cannot_be_told_is_not_told() {
    // YOLO's heads, patch positions, a regression, two tasks, layers of repeated blocks, two tables.
    check(
        &[
            ("model.22.cv3.0.2.weight", &[80, 80, 1, 1]),
            ("model.24.m.0.weight", &[255, 128, 1, 1]),
        ],
        &[],
    );
    check(&[("pos_embed", &[1, 197, 768])], &[]);
    check(
        &[(
            "vision_model.embeddings.position_embedding.weight",
            &[50, 768],
        )],
        &[],
    );
    check(&[("fc.weight", &[1, 512])], &[]);
    check(
        &[("a.fc.weight", &[3, 512]), ("b.fc.weight", &[5, 512])],
        &[],
    );
    check(
        &[
            ("encoder.layer.0.output.weight", &[64, 64]),
            ("encoder.layer.1.output.weight", &[64, 64]),
        ],
        &[],
    );
    check(
        &[
            ("user_embedding.weight", &[943, 32]),
            ("item_embedding.weight", &[1682, 32]),
        ],
        &[],
    );
    check(
        &[("user_embedding.weight", &[943, 32])],
        &[(Token, 942, "user_embedding.weight [943, 32]")],
    );
    check(&[], &[]);
}
