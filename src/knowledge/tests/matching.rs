//! Every entry is reached by its own line, and lines that nobody wrote down end in an honest guess or none.

use crate::knowledge::{
    AssertionEntry, AssertionMatch, GENERATED_FILE, InductorBound, Pattern, catalogue,
    inductor_bound, shows_operation,
};

/// The match in one word and what it names, for the tables below.
fn outcome(file: &str, expression: &str) -> String {
    match catalogue().assertion(file, expression) {
        AssertionMatch::Known(entry) => format!("known {}", entry.topic),
        AssertionMatch::ByExpression(entry) => format!("guess {}", entry.topic),
        AssertionMatch::ByFile(entry) => format!("file {}", entry.topic),
        AssertionMatch::PytorchUnknown => "pytorch".to_owned(),
        AssertionMatch::Custom { library } => {
            format!("custom {}", library.as_deref().unwrap_or("?"))
        }
        AssertionMatch::OtherFramework { name } => format!("other {name}"),
        AssertionMatch::Unlocated => "unlocated".to_owned(),
    }
}

/// A text that the entry's check prints.
fn printed(entry: &AssertionEntry) -> &str {
    match (&entry.expression, entry.pattern) {
        (Some(expression), _) => expression,
        (None, Some(Pattern::InductorBoth)) => "index out of bounds: 0 <= tmp12 < 50257",
        (None, Some(Pattern::InductorUpper)) => "index out of bounds: tmp3 < ks0",
        (None, Some(Pattern::InductorLower)) => "index out of bounds: 0 <= tmp3",
        (None, Some(Pattern::IntegerOverflow)) => "int32 overflow detected for operation mul",
        (None, Some(Pattern::AnyText)) => "sequence is longer than the cache",
        (None, Some(Pattern::Empty) | None) => "",
    }
}

#[test]
fn every_assertion_is_reached_by_its_own_line() {
    for entry in &catalogue().assertions {
        let files: Vec<String> = std::iter::once(&entry.file)
            .chain(&entry.also_files)
            .flat_map(|file| match file.as_str() {
                GENERATED_FILE => vec![
                    "/tmp/torchinductor_me/ab/cabxyz.py".to_owned(),
                    r"C:\Users\me\AppData\Local\Temp\torchinductor_me\ab\cabxyz.py".to_owned(),
                ],
                _ if file.starts_with("ATen/") || file.starts_with("THC") => vec![
                    format!("../aten/src/{file}"),
                    format!("/opt/conda/conda-bld/pytorch_1595629403081/work/aten/src/{file}"),
                    format!(r"C:\actions-runner\_work\pytorch\pytorch\builder\windows\pytorch\aten\src\{}", file.replace('/', r"\")),
                    format!("C:/cb/pytorch_1000000000000/work/aten/src/{file}"),
                ],
                _ => vec![
                    format!("/__w/pytorch/pytorch/{file}"),
                    format!(r"C:\actions-runner\_work\pytorch\pytorch\pytorch\{}", file.replace('/', r"\")),
                    format!(r"c:/cb/pytorch_1000000000000/work\{file}"),
                ],
            })
            .collect();
        for file in files {
            let text = printed(entry);
            match catalogue().assertion(&file, text) {
                AssertionMatch::Known(found) => {
                    assert_eq!(
                        (&found.topic, found.cause),
                        (&entry.topic, entry.cause),
                        "{}: {file}: {text}",
                        entry.id
                    );
                }
                other => panic!("{}: {file}: {text}: {other:?}", entry.id),
            }
        }
    }
}

#[test]
fn each_entry_is_the_first_of_its_file_and_text() {
    for entry in &catalogue().assertions {
        if let AssertionMatch::Known(found) = catalogue().assertion(&entry.file, printed(entry))
            && found.id != entry.id
        {
            let alike = found.topic == entry.topic && found.cause == entry.cause;
            assert!(alike, "{} hides {}", found.id, entry.id);
        }
    }
}

#[test]
fn a_line_without_its_expression_is_known_by_its_file_where_that_checks_one_thing() {
    for (file, expected) in [
        (
            "../aten/src/ATen/native/cuda/ScatterGatherKernel.cu",
            "file gather_scatter",
        ),
        ("../aten/src/ATen/native/cuda/IndexKernel.cu", "pytorch"),
        (
            "../aten/src/ATen/native/cuda/NLLLoss2d.cu",
            "file class_label_pixel",
        ),
        ("../aten/src/ATen/native/cuda/Loss.cu", "pytorch"),
        ("/home/me/ops/src/IndexKernel.cu", "custom ?"),
    ] {
        assert_eq!(outcome(file, ""), expected, "{file}");
    }
}

#[test]
fn the_compilers_texts_are_known_whatever_the_file_is_called() {
    for (file, text, expected) in [
        (
            "<frozen importlib._bootstrap_external>",
            "index out of bounds: 0 <= tmp4 < 24",
            "known inductor_index",
        ),
        (
            "importlib._bootstrap_external>",
            "index out of bounds: 0 <= tmp4 < 24",
            "known inductor_index",
        ),
        (
            "<eval_with_key>.7",
            "index out of bounds: tmp3 < 50304",
            "known inductor_index",
        ),
        (
            "/home/me/ops/gather_kernel.cu",
            "index out of bounds: i < n",
            "custom ?",
        ),
    ] {
        assert_eq!(outcome(file, text), expected, "{file}: {text}");
    }
}

#[test]
fn spellings_of_known_lines() {
    let loss = "../aten/src/ATen/native/cuda/Loss.cu";
    let check = |file: &str, expression: &str, expected: &str| {
        assert_eq!(outcome(file, expression), expected, "{file}: {expression}");
    };
    check(loss, "t >= 0 && t < n_classes", "known class_label");
    check(
        loss,
        "cur_target  >= 0 && cur_target < n_classes",
        "known class_label",
    );
    check(
        loss,
        "cur_target >= 0 && cur_targe t < n_classes",
        "known class_label",
    );
    check(loss, "t ＞＝ 0 ＆＆ t ＜ n_classes", "known class_label");
    check(loss, "t ≥ 0 && t < n_classes", "known class_label");
    check(
        r"D:\a\pytorch\ATEN\SRC\ATEN\NATIVE\CUDA\LOSS.CU",
        "input_val >= zero && input_val <= one",
        "known bce_input",
    );
    check(
        "C:/w/b/windows/pytorch/aten/src\\ATen/native/cuda/NLLLoss2d.cu",
        "t >= 0 && t < n_classes",
        "known class_label_pixel",
    );
    check(
        "NLLLoss2d.cu",
        "t >= 0 && t < n_classes",
        "known class_label_pixel",
    );
    check(
        "ive/cuda/IndexKernel.cu",
        "-sizes[i] <= index && index < sizes[i] && “index out of bounds”",
        "known advanced_indexing",
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/IndexKernel.cu",
        "-sizes[i] <= index && index < sizes[i] && index out of bounds",
        "known advanced_indexing",
    );
    check(
        "/pytorch/aten/src/ATen/native/hip/ScatterGatherKernel.hip",
        r#"idx_dim >= 0 && idx_dim < index_size && "index out of bounds""#,
        "known gather_scatter",
    );
    check(
        "/root/pytorch/aten/src/ATen/native/hip/Reduce.cuh",
        "noutputs == 1",
        "known internal_check",
    );
    check(
        "aten/src/THH/THHTensorIndex.hip",
        "srcIndex < srcSelectDimSize",
        "known embedding_row",
    );
    check(
        "/usr/lib/python3.10/site-packages/torch/include/c10/core/DynamicCast.h",
        "false",
        "known dtype_cast",
    );
    check("../c10/util/TypeCast.h", "false", "known dtype_cast");
    check(
        "../aten/src/ATen/native/cuda/TensorCompare.cu",
        "probability tensor contains either `inf`, `nan` or element < 0",
        "known multinomial_weights",
    );
    check(
        r"C:\w\aten\src\ATen\native\cuda\TensorCompare.cu",
        "input[0] != 0",
        "known assert_async",
    );
    check(
        "../aten/src/ATen/native/cuda/TensorCompare.cu",
        "",
        "known user_assert",
    );
    check(
        "../aten/src/ATen/native/cuda/TensorCompare.cu",
        "Expected seq_len to be positive",
        "known user_assert",
    );
    check(
        "unknown",
        "index out of bounds: 0 <= tmp4 < 32000",
        "known inductor_index",
    );
    check(
        "/scratch/cache/vx/cvxq5kz2m7o4hsyk3r7dmtgp4yqjnb6wf2a7c5elh3ouizk6rq2t.py",
        "index out of bounds: 0 <= tmp9 < 1 + ks0",
        "known inductor_index",
    );
    check(
        "/tmp/torchinductor_root/c5/x.py",
        "BLOCK_M % G == 0",
        "known internal_check",
    );
    check(
        "/home/me/kernels/matmul.py",
        "int64 overflow detected for operation add",
        "known triton_overflow",
    );
}

#[test]
fn lines_that_nobody_wrote_down() {
    let check = |file: &str, expression: &str, expected: &str| {
        assert_eq!(outcome(file, expression), expected, "{file}: {expression}");
    };
    // Renamed and new files of PyTorch.
    check(
        "/pytorch/aten/src/ATen/native/cuda/NLLLoss.cu",
        "t >= 0 && t < n_classes",
        "guess class_label",
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/SpatialNLL.cu",
        "t >= 0 && t < n_classes",
        "guess class_label_pixel",
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/Moved.cu",
        "totalElements <= srcSize",
        "guess masked_scatter",
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/Moved.cu",
        "!at::_isnan(val)",
        "guess multinomial_weights",
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/Moved.cu",
        "index >= 0",
        "pytorch",
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/Moved.cu",
        "false",
        "pytorch",
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/Moved.cu",
        r#"i < n && "index out of bounds""#,
        "guess advanced_indexing",
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/VectorGather.cu",
        r#"i < n && "gather: index out of bounds""#,
        "guess gather_scatter",
    );
    // New spellings in known files.
    check(
        "../aten/src/ATen/native/cuda/NLLLoss2d.cu",
        "label >= 0 && label < n_classes",
        "guess class_label_pixel",
    );
    check(
        "../aten/src/ATen/native/cuda/ScatterGatherKernel.cu",
        "idx_dim < index_size",
        "guess gather_scatter",
    );
    check(
        "../aten/src/ATen/native/cuda/Loss.cu",
        "weight != nullptr",
        "pytorch",
    );
    check(
        "../torch/csrc/distributed/c10d/Other.cu",
        "rank < size",
        "pytorch",
    );
    check(
        "/pytorch/third_party/fbgemm/fbgemm_gpu/src/x.cu",
        "idx < n",
        "pytorch",
    );
    // Extensions.
    check(
        "/ceph/k2/k2/csrc/intersect_dense.cu",
        "Some bad things happened",
        "custom k2",
    );
    check("/ceph/k2/torch/csrc/x.cu", "a == b", "custom k2");
    check(
        "/tmp/mmcv/mmcv/ops/csrc/common/cuda/nms_rotated.cuh",
        "box >= 0",
        "custom mmcv",
    );
    check(
        "/workspace/detectron2/layers/csrc/ROIAlign/x.cu",
        "roi_width >= 0",
        "custom detectron2",
    );
    check(
        r"C:\Users\me\pytorch_scatter\csrc\cuda\scatter_cuda.cu",
        "idx < n",
        "custom pytorch_scatter",
    );
    check(
        "/home/me/pointnet2/_ext_src/src/ball_query.cu",
        "idx < n",
        "custom pointnet2",
    );
    check(
        "/usr/lib/python3.11/site-packages/spconv/csrc/x.cu",
        "idx < n",
        "custom spconv",
    );
    check(
        "/root/.cache/torch_extensions/py310_cu118/fused_loss/loss.cu",
        "idx < n",
        "custom fused_loss",
    );
    check("/home/alice/loss.cu", "idx < n", "custom ?");
    check(
        "/home/alice/mine/loss.cu",
        r#"i < n && "index out of bounds""#,
        "custom mine",
    );
    check(
        "/home/alice/mine/loss.cu",
        "t >= 0 && t < n_classes",
        "guess class_label",
    );
    check(
        "/home/alice/serve/vllm/attention/ops/paged.py",
        "slot is valid",
        "custom vllm",
    );
    // Other frameworks.
    check(
        "/paddle/paddle/phi/kernels/gpu/cross_entropy_kernel.cu",
        "false",
        "other PaddlePaddle",
    );
    check(
        "/root/Paddle/paddle/fluid/operators/x.cu",
        "t >= 0 && t < n_classes",
        "other PaddlePaddle",
    );
    check(
        "external/org_tensorflow/tensorflow/core/kernels/gather.cu.cc",
        "idx < n",
        "other TensorFlow",
    );
    // Nothing to hold on to.
    check("unknown", "my check", "unlocated");
    check("", "", "unlocated");
    check(
        "unknown",
        "srcIndex < srcSelectDimSize",
        "guess embedding_row",
    );
    check(
        "unknown",
        r#"index >= 0 && "index out of bounds""#,
        "guess advanced_indexing",
    );
}

#[test]
fn bounds_of_compiled_code() {
    let check = |expression: &str, expected: Option<(Option<i64>, &str)>| {
        let expected = expected.map(|(upper, text)| InductorBound {
            upper,
            text: text.to_owned(),
        });
        assert_eq!(inductor_bound(expression), expected, "{expression}");
    };
    check(
        "index out of bounds: 0 <= tmp4 < 32000",
        Some((Some(32_000), "32000")),
    );
    check("index out of bounds: tmp4 < 10", Some((Some(10), "10")));
    check(
        "index out of bounds: 0 <= tmp4 < 32000L",
        Some((Some(32_000), "32000L")),
    );
    check(
        "index out of bounds: 0 <= tmp4 < (7)",
        Some((Some(7), "(7)")),
    );
    check("index out of bounds: 0 <= tmp4 < ks0", Some((None, "ks0")));
    check(
        "index out of bounds: 0 <= tmp4 < (1 + ks0)",
        Some((None, "(1 + ks0)")),
    );
    check("index out of bounds: 0 <= tmp4", Some((None, "")));
    check(
        r#"tl.device_assert((0 <= tmp4) & (tmp4 < 80), "index out of bounds: 0 <= tmp4 < 80")"#,
        Some((Some(80), "80")),
    );
    check(
        "index out of bounds： 0 ＜= tmp4 ＜ 80",
        Some((Some(80), "80")),
    );
    check(
        "index out of bounds: 0 <= tmp4 < 99999999999999999999",
        Some((None, "99999999999999999999")),
    );
    check("index out of bounds", None);
    check("t >= 0 && t < n_classes", None);
}

#[test]
fn operations_in_source_lines() {
    let check = |topic: &str, code: &str, function: &str, expected: bool| {
        let topic = catalogue().topic(topic).expect("a topic");
        let (code, function) = (
            (!code.is_empty()).then_some(code),
            (!function.is_empty()).then_some(function),
        );
        assert_eq!(
            shows_operation(&topic.operation_words, code, function),
            expected,
            "{}: {code:?} {function:?}",
            topic.id
        );
    };
    check(
        "class_label",
        "return torch._C._nn.cross_entropy_loss(input, target, weight)",
        "cross_entropy",
        true,
    );
    check(
        "class_label",
        "ret = torch._C._nn.nll_loss_nd(input, target)",
        "",
        true,
    );
    check("class_label", "", "cross_entropy", true);
    check(
        "class_label",
        "return torch._C._nn.binary_cross_entropy(input, target)",
        "binary_cross_entropy",
        false,
    );
    check("class_label", "loss.backward()", "train", false);
    check(
        "class_label",
        "self.criterion = nn.CrossEntropyLoss().cuda()",
        "__init__",
        false,
    );
    check(
        "bce_input",
        "return torch._C._nn.binary_cross_entropy(input, target)",
        "",
        true,
    );
    check(
        "bce_input",
        "return torch.binary_cross_entropy_with_logits(input, target)",
        "binary_cross_entropy_with_logits",
        false,
    );
    check(
        "embedding_row",
        "return torch.embedding(weight, input, padding_idx)",
        "embedding",
        true,
    );
    check(
        "embedding_row",
        "self.table = nn.Embedding(10, 3).cuda()",
        "__init__",
        false,
    );
    check(
        "gather_scatter",
        "x = torch.gather(logits, 1, labels)",
        "",
        true,
    );
    check("gather_scatter", "dist.all_gather(parts, x)", "", false);
    check("gather_scatter", "dist.gather(x, parts)", "", false);
    check("gather_scatter", "onehot.scatter_(1, labels, 1)", "", true);
    check(
        "grouped_mm",
        "return torch._grouped_mm(x, w, offs=offs)",
        "",
        true,
    );
    check("advanced_indexing", "print(x.item())", "", false);
    assert!(!shows_operation(&[], Some("anything(x)"), Some("anything")));
}
