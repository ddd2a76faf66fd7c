//! What logs state of machine, software and launches.

use super::super::Platform;
use super::super::recognisers::driver::read;

const RAISED: &str = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    go()\nRuntimeError: CUDA error: device-side assert triggered\n";
const HINT: &str = "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n";
const DSA: &str = "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n";
const SEARCH: &str =
    "Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/x.html for more information.\n";

#[test]
fn whether_launches_were_blocking() {
    let check = |text: &str, expected: Option<bool>| {
        assert_eq!(read(text).environment.launch_blocking, expected, "{text}");
    };
    check(RAISED, None);
    check(&format!("{RAISED}{HINT}"), Some(false));
    check(&format!("{RAISED}{HINT}{DSA}"), Some(false));
    check(&format!("{RAISED}{DSA}"), Some(true));
    check(&format!("{RAISED}{SEARCH}{HINT}{DSA}"), Some(false));
    check(&format!("{RAISED}{SEARCH}\n"), Some(true));
    // A version that would print the hint, and a log that goes on without it.
    check(&format!("torch-1.13.1+cu117\n{RAISED}done\n"), Some(true));
    check(&format!("torch-1.13.1+cu117\n{RAISED}"), None);
    check(&format!("torch-1.8.1+cu111\n{RAISED}done\n"), None);
    check(
        "torch==2.1.0\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n    go()\nRuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`\ndone\n",
        None,
    );
    // Set outright.
    check("$ CUDA_LAUNCH_BLOCKING=1 python train.py", Some(true));
    check("C:\\x>set CUDA_LAUNCH_BLOCKING=1", Some(true));
    check("set CUDA_LAUNCH_BLOCKING=1", Some(true));
    check("PS D:\\x> $env:CUDA_LAUNCH_BLOCKING=\"1\"", Some(true));
    check(
        "$env:CUDA_LAUNCH_BLOCKING = \"1\"; python train.py",
        Some(true),
    );
    check("export CUDA_LAUNCH_BLOCKING=1", Some(true));
    check(
        "u@h:~/x$ CUDA_VISIBLE_DEVICES=0 CUDA_LAUNCH_BLOCKING=1 python a.py",
        Some(true),
    );
    check("%env CUDA_LAUNCH_BLOCKING=1", Some(true));
    check("env: CUDA_LAUNCH_BLOCKING=1", Some(true));
    check(">>> os.environ['CUDA_LAUNCH_BLOCKING'] = '1'", Some(true));
    check(
        "environ({'HOME': '/root', 'CUDA_LAUNCH_BLOCKING': '1'})",
        Some(true),
    );
    check("CUDA_LAUNCH_BLOCKING=0", Some(false));
    check(
        &format!("$ CUDA_LAUNCH_BLOCKING=1 python a.py\n{RAISED}{HINT}"),
        Some(false),
    );
    check(
        &format!("{RAISED}{HINT}$ CUDA_LAUNCH_BLOCKING=1 python a.py\n{RAISED}"),
        Some(true),
    );
    // Advice is not a setting.
    check(
        "For more detail consider passing CUDA_LAUNCH_BLOCKING=1.",
        None,
    );
    check("set CUDA_LAUNCH_BLOCKING=1 to find the line", None);
    check("Try running with CUDA_LAUNCH_BLOCKING=1", None);
    check("export CUDA_LAUNCH_BLOCKING=1 and run again", None);
}

#[test]
fn dsa_as_if_it_were_an_environment_variable() {
    let check = |text: &str, line: Option<u64>| {
        assert_eq!(
            read(text).environment.dsa_set_in_environment,
            line,
            "{text}"
        );
    };
    check("x\n$ export TORCH_USE_CUDA_DSA=1", Some(2));
    check("set TORCH_USE_CUDA_DSA=1", Some(1));
    check("os.environ[\"TORCH_USE_CUDA_DSA\"] = \"1\"", Some(1));
    check(
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
        None,
    );
    check(
        "device-side assertions: not compiled in (TORCH_USE_CUDA_DSA off)",
        None,
    );
}

#[test]
fn platforms() {
    let check = |text: &str, expected: Platform| {
        assert_eq!(read(text).environment.platform, expected, "{text}");
    };
    check("  File \"D:\\p\\a.py\", line 1, in f", Platform::Windows);
    check(
        "Python 3.10.6 (tags/v3.10.6:9c7b4bd) [MSC v.1932 64 bit (AMD64)]",
        Platform::Windows,
    );
    check(
        "C:/w/b/windows/pytorch/aten/src/ATen/native/cuda/Loss.cu:247: block: [0,0,0], thread: [0,0,0] Assertion `x` failed.",
        Platform::Windows,
    );
    check(
        "  File \"D:\\p\\a.py\", line 1, in f\n    x\nsee /home/me/notes and https://pytorch.org/x",
        Platform::Windows,
    );
    check(
        "  File \"\\\\nas\\p\\a.py\", line 1, in f",
        Platform::Windows,
    );
    check(
        "OSError: [WinError 126] 找不到指定的模块。",
        Platform::Windows,
    );
    check(
        "../aten/src/ATen/native/cuda/Loss.cu:250: f: block: [0,0,0], thread: [0,0,0] Assertion `x` failed.",
        Platform::Linux,
    );
    check(
        "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: f: block: [0,0,0], thread: [0,0,0] Assertion `x` failed.",
        Platform::Linux,
    );
    check("  File \"/home/u/a.py\", line 1, in f", Platform::Linux);
    check(
        "  File \"/kaggle/working/a.py\", line 1, in f",
        Platform::Linux,
    );
    check(
        "Linux-5.15.146.1-microsoft-standard-WSL2-x86_64-with-glibc2.35",
        Platform::Wsl,
    );
    check(
        "  File \"/mnt/c/Users/u/a.py\", line 1, in f",
        Platform::Wsl,
    );
    check(
        "  File \"/content/drive/MyDrive/a.py\", line 1, in f",
        Platform::Colab,
    );
    check(
        "<ipython-input-3-0a> in <module>\n----> 1 f()\n/usr/local/lib/python3.10/dist-packages/torch/x.py in f(x)",
        Platform::Colab,
    );
    check("  File \"/Users/me/a.py\", line 1, in f", Platform::Macos);
    check(
        "Saving checkpoint to: exp/s3dis/model/model_last.pth",
        Platform::Linux,
    );
    check("saved exp\\s3dis\\model_last.pth", Platform::Unknown);
    check("epoch 3 loss 2.1", Platform::Unknown);
}

#[test]
fn versions() {
    let torch = |text: &str, expected: Option<&str>| {
        assert_eq!(
            read(text)
                .environment
                .torch
                .as_ref()
                .map(|t| t.text.as_str()),
            expected,
            "{text}"
        );
    };
    torch(
        "Ultralytics YOLOv8.0.20 🚀 Python-3.9.12 torch-1.13.1+cu117 CUDA:0 (NVIDIA GeForce RTX 3080, 10015MiB)",
        Some("1.13.1+cu117"),
    );
    torch("  PyTorch: 2.6.0+cu124", Some("2.6.0+cu124"));
    torch("torch==2.1.0", Some("2.1.0"));
    torch("PyTorch version: 2.1.0", Some("2.1.0"));
    torch(
        "- PyTorch version (GPU?): 2.1.0+cu121 (True)",
        Some("2.1.0+cu121"),
    );
    torch("torch 2.1.0+cu118", Some("2.1.0+cu118"));
    torch("torch                     2.0.1", Some("2.0.1"));
    torch(
        "torch.__version__: 2.4.0.dev20240601+cu121",
        Some("2.4.0.dev20240601+cu121"),
    );
    torch(">>> torch.__version__\n'2.3.1+cu121'", Some("2.3.1+cu121"));
    torch(
        "xFormers was built for:\n    PyTorch 2.1.0+cu121 with CUDA 1201 (you have 2.0.1+cu118)",
        Some("2.0.1+cu118"),
    );
    torch("pytorch version: 2.5.1+cu124", Some("2.5.1+cu124"));
    torch(
        "pytorch-lightning==1.9.0 torchvision==0.15.2 torch_geometric 2.3.0 torch-scatter 2.1.1",
        None,
    );
    torch("this will be removed in PyTorch 2.5.0", None);
    torch(
        "torchvision 0.14.0 requires torch==1.13.0, which is not installed",
        None,
    );
    torch("Needs torch>=1.8.0", None);
    torch("see pytorch.org/docs/2.1/", None);
    torch(
        "/opt/conda/conda-bld/pytorch_1634272178570/work/aten/src/x.cu:1: f",
        None,
    );
    let python = |text: &str, expected: Option<&str>| {
        assert_eq!(
            read(text)
                .environment
                .python
                .as_ref()
                .map(|t| t.text.as_str()),
            expected,
            "{text}"
        );
    };
    python(
        "Python 3.9.7 (default, Sep 16 2021, 13:09:58)",
        Some("3.9.7"),
    );
    python("Python 3.10.13", Some("3.10.13"));
    python("YOLO Python-3.9.12 torch-1.13.1", Some("3.9.12"));
    python(
        "  File \"/e/lib/python3.10/site-packages/t.py\", line 1, in f",
        Some("3.10"),
    );
    python(
        "  File \"C:\\P\\Python310\\lib\\threading.py\", line 1, in f",
        Some("3.10"),
    );
    let facts = read(
        "CUDA used to build PyTorch: 11.8\nNvidia driver version: 535.54.03\nGPU 0: NVIDIA GeForce RTX 3080",
    );
    assert_eq!(
        facts.environment.cuda.as_ref().map(|s| s.text.as_str()),
        Some("11.8")
    );
    assert_eq!(
        facts.environment.driver.as_ref().map(|s| s.text.as_str()),
        Some("535.54.03")
    );
}

#[test]
fn graphics_cards() {
    let check = |text: &str, expected: &[&str]| {
        let facts = read(text);
        let names: Vec<_> = facts
            .environment
            .gpus
            .iter()
            .map(|s| s.text.as_str())
            .collect();
        assert_eq!(names, expected, "{text}");
    };
    check(
        "torch-2.0 CUDA:0 (NVIDIA GeForce RTX 3080, 10015MiB) CUDA:1 (Tesla T4, 15109MiB)",
        &["NVIDIA GeForce RTX 3080", "Tesla T4"],
    );
    check(
        "|   0  NVIDIA GeForce RTX 4090        Off | 00000000:01:00.0  On |",
        &["NVIDIA GeForce RTX 4090"],
    );
    check(
        "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.",
        &["NVIDIA GeForce RTX 5090"],
    );
    check("GPU: NVIDIA A100-SXM4-80GB", &["NVIDIA A100-SXM4-80GB"]);
    check(
        "The NVIDIA driver on your system is too old (found version 11040).",
        &[],
    );
    check(
        "| NVIDIA-SMI 535.54.03    Driver Version: 535.54.03    CUDA Version: 12.2 |",
        &[],
    );
}

#[test]
fn commands_and_exit_codes() {
    let command = |text: &str, expected: Option<&str>| {
        assert_eq!(
            read(text)
                .environment
                .command
                .as_ref()
                .map(|s| s.text.as_str()),
            expected,
            "{text}"
        );
    };
    command(
        "$ python train.py --epochs 3",
        Some("python train.py --epochs 3"),
    );
    command("(yolo) D:\\det>python train.py", Some("python train.py"));
    command("PS D:\\x> python .\\train.py", Some("python .\\train.py"));
    command(
        "+ python train_tiny.py --vocab_source=custom > run.txt 2>&1",
        Some("python train_tiny.py --vocab_source=custom > run.txt 2>&1"),
    );
    command(
        "u@h:~/x$ CUDA_VISIBLE_DEVICES=0 torchrun --nproc_per_node 2 a.py",
        Some("CUDA_VISIBLE_DEVICES=0 torchrun --nproc_per_node 2 a.py"),
    );
    command(
        "C:\\Users\\u\\anaconda3\\python.exe D:/p/train.py",
        Some("C:\\Users\\u\\anaconda3\\python.exe D:/p/train.py"),
    );
    command(
        "python : C:\\cb\\pytorch_1000\\work\\aten\\src\\ATen\\native\\cuda\\Indexing.cu:1146: block: [15,0,0]",
        None,
    );
    command("python: x.c:12: f: Assertion `x' failed.", None);
    let code = |text: &str, expected: Option<i64>| {
        assert_eq!(read(text).environment.exit_code, expected, "{text}");
    };
    code(
        "Process finished with exit code -1073740791 (0xC0000409)",
        Some(-1_073_740_791),
    );
    code(
        "E0225 api.py:869] failed (exitcode: -6) local_rank: 0 (pid: 31065)",
        Some(-6),
    );
    code("exited with code 0xC0000005", Some(-1_073_741_819));
    code(
        "RuntimeError: DataLoader worker (pid 7) exited unexpectedly with exit code 1.",
        None,
    );
}

#[test]
fn rocm_and_processes() {
    let facts = read(
        "[rank0]: RuntimeError: HIP error: unspecified launch failure\n[rank1]: For debugging consider passing AMD_SERIALIZE_KERNEL=3",
    );
    assert!(facts.environment.rocm);
    assert_eq!(facts.environment.processes, 2);
    assert_eq!(facts.environment.launch_blocking, Some(false));
}
