"""Crashes real PyTorch once per operation on an NVIDIA card, and shows that the guard catches each before the kernel.

    python benches/device/crash_each.py [--output FOLDER] [--only OPERATION] [--dry-run]

Every crash happens in a child process of its own, since the first failed assertion ends the CUDA context. For each
operation it runs the bad call
  - as it is, and with CUDA_LAUNCH_BLOCKING=1: the logs FOLDER/<operation>-<blocking>-<torch version>.log are material
    for tests/fixtures/logs, and FOLDER/expected.json says of each what it must show;
  - under the guard, where the guard's error must come and no assertion line may;
  - the good counterpart under the guard, which must pass.
--dry-run needs no card: only the two runs under the guard, on the CPU.

Ends with 0 if everything was as expected, 1 if not, 2 if there is no card or no PyTorch.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GUARD = os.path.join(HERE, "..", "..", "assets", "guard")

# Name: (operation of the guard's line, kernel files, what the assertion may look like, bad statement, good statement).
# The expressions differ between versions; a log that matches none is kept, and reported for a person to look at.
OPERATIONS = {
    "cross-entropy-1d": (
        "cross_entropy", "Loss.cu", r"t >= 0 && t < n_classes|cur_target >= 0 && cur_target < n_classes",
        "F.cross_entropy(rand(8, 5), ints([0, 1, 2, 5, 4, 3, 0, 1]))",
        "F.cross_entropy(rand(8, 5), ints([0, 1, 2, -100, 4, 3, 0, 1]))",
    ),
    "cross-entropy-2d": (
        "cross_entropy", "NLLLoss2d.cu", r"t >= 0 && t < n_classes|cur_target >= 0 && cur_target < n_classes",
        "F.cross_entropy(rand(2, 21, 16, 16), torch.full((2, 16, 16), 255, device=device))",
        "F.cross_entropy(rand(2, 21, 16, 16), torch.full((2, 16, 16), 255, device=device), ignore_index=255)",
    ),
    "embedding": (
        "embedding", "Indexing.cu|IndexKernelUtils.cu", r"srcIndex < srcSelectDimSize|index out of bounds",
        "nn.Embedding(100, 16).to(device)(ints([[1, 2, 100], [4, 5, 6]]))",
        "nn.Embedding(100, 16).to(device)(ints([[1, 2, 99], [4, 5, 6]]))",
    ),
    "gather": (
        "gather", "ScatterGatherKernel.cu|IndexKernelUtils.cu", r"index out of bounds",
        "torch.gather(rand(4, 6), 1, ints([[0], [1], [6], [2]]))",
        "torch.gather(rand(4, 6), 1, ints([[0], [1], [5], [2]]))",
    ),
    "scatter": (
        "scatter", "ScatterGatherKernel.cu|IndexKernelUtils.cu", r"index out of bounds",
        "torch.zeros(4, 6, device=device).scatter_(1, ints([[0], [1], [-1], [2]]), 1.0)",
        "torch.zeros(4, 6, device=device).scatter_(1, ints([[0], [1], [5], [2]]), 1.0)",
    ),
    "index": (
        "index", "IndexKernel.cu|IndexKernelUtils.cu", r"index out of bounds",
        "rand(5, 3)[ints([0, 4, 7])]",
        "rand(5, 3)[ints([0, 4, -5])]",
    ),
    "one-hot": (
        "one_hot", "ScatterGatherKernel.cu|IndexKernelUtils.cu", r"index out of bounds",
        "F.one_hot(ints([0, 3, 9]), 4)",
        "F.one_hot(ints([0, 3, 1]), 4)",
    ),
    "bce": (
        "binary_cross_entropy", "Loss.cu", r"input_val >= zero && input_val <= one|target_val >= zero && target_val <= one",
        "F.binary_cross_entropy(rand(4) * 0 + 1.5, torch.ones(4, device=device))",
        "F.binary_cross_entropy(rand(4) * 0 + 0.5, torch.ones(4, device=device))",
    ),
    "multinomial": (
        "multinomial", "TensorCompare.cu", r"probability tensor contains either|input\[0\] != 0",
        "torch.multinomial(rand(2, 4) * float('nan'), 1)",
        "torch.multinomial(rand(2, 4) + 0.1, 1)",
    ),
}  # fmt: skip

SCRIPT = """\
import sys
import torch
import torch.nn as nn
import torch.nn.functional as F

device = sys.argv[1]


def rand(*shape):
    return torch.rand(*shape, device=device)


def ints(numbers):
    return torch.tensor(numbers, device=device)


def step():
    out = %s
    return out


print("torch", torch.__version__, "cuda", torch.version.cuda, flush=True)
value = step()
# Where the failure shows when launches are not blocking.
print("finished", float(value.float().sum().item()) is not None, flush=True)
"""


def run(statement, device, guarded=False, blocking=False):
    """The child's exit code and everything it printed, in the order of printing."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("ASSERT_DOCTOR_", "CUDA_LAUNCH"))}
    variables["PYTHONUNBUFFERED"] = "1"
    if guarded:
        paths = [os.path.abspath(GUARD), variables.get("PYTHONPATH", "")]
        variables["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        variables["ASSERT_DOCTOR_GUARD"] = "1"
    if blocking:
        variables["CUDA_LAUNCH_BLOCKING"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "train.py")
        with open(script, "w") as file:
            file.write(SCRIPT % statement)
        try:
            done = subprocess.run(
                [sys.executable, script, device], cwd=folder, env=variables, timeout=300,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
        except subprocess.TimeoutExpired as late:
            return None, (late.stdout or b"").decode("utf-8", "replace")
        text = done.stdout.decode("utf-8", "replace")
        # The logs become fixtures: no path of this machine stays in them.
        text = text.replace(script, "/home/u/train.py").replace(os.path.dirname(os.path.dirname(os.__file__)), "/usr/lib")
        return done.returncode, text


def guard_lines(text, event):
    found = [line[line.index("{") :] for line in text.splitlines() if "[assert-doctor] {" in line]
    return [record for record in map(json.loads, found) if record["event"] == event]


def check_crash(name, kernels, pattern, code, text):
    """What a crash without the guard must look like; a list of complaints."""
    problems = []
    if name == "multinomial" and "RuntimeError: probability tensor contains" in text and "Assertion `" not in text:
        return []  # Up to 2.3 it is checked on the host.
    if code == 0 or "finished" in text:
        problems.append("it did not crash")
    if "device-side assert triggered" not in text:
        problems.append("no `device-side assert triggered`")
    asserted = [line for line in text.splitlines() if "Assertion `" in line]
    if not asserted:
        problems.append("no assertion line")
    elif not any(re.search(pattern, line) for line in asserted):
        problems.append("an assertion of another text: " + asserted[0].strip())
    elif not re.search(r"[/\\](%s):" % kernels, asserted[0]):
        problems.append("an assertion in another file: " + asserted[0].strip())
    return problems


def check_guarded(op, code, text):
    problems = []
    said = guard_lines(text, "violation")
    if len(said) != 1 or said[0]["op"] != op:
        problems.append("not one violation line of %s, but %s" % (op, [line["op"] for line in said]))
    elif said[0]["function"] != "step":
        problems.append("the frame is " + str(said[0]["function"]))
    if code != 1 or "AssertDoctorGuardError" not in text:
        problems.append("the guard's error did not come (exit code %s)" % code)
    if "device-side assert" in text or "Assertion `" in text:
        problems.append("a kernel ran")
    return problems


def check_good(code, text):
    problems = [] if code == 0 and "finished" in text else ["the good call failed (exit code %s)" % code]
    if guard_lines(text, "violation") or guard_lines(text, "note"):
        problems.append("the guard complained")
    return problems


def main():
    options = argparse.ArgumentParser(description="Crashes PyTorch once per operation, with and without the guard.")
    options.add_argument("--output", default="crashes", help="folder for the logs (default: crashes)")
    options.add_argument("--only", choices=sorted(OPERATIONS), help="only this operation")
    options.add_argument("--dry-run", action="store_true", help="no card: only the guard, on the CPU")
    options = options.parse_args()
    # A child asks, so that this process never opens the card.
    asked = subprocess.run(
        [sys.executable, "-c", "import torch; print(torch.__version__, torch.cuda.is_available())"],
        stdout=subprocess.PIPE, universal_newlines=True,
    )  # fmt: skip
    if asked.returncode != 0:
        return 2
    version, has_card = asked.stdout.split()
    if has_card != "True" and not options.dry_run:
        print("There is no NVIDIA card that PyTorch can use. --dry-run tries the guard on the CPU.", file=sys.stderr)
        return 2
    device = "cpu" if options.dry_run else "cuda"
    os.makedirs(options.output, exist_ok=True)
    expected, failed = [], 0

    def keep(name, kind, text):
        file = "%s-%s-%s.log" % (name, kind, version)
        with open(os.path.join(options.output, file), "w", encoding="utf-8", newline="\n") as log:
            log.write(text)
        return file

    def report(name, kind, problems):
        print("%-18s %-12s %s" % (name, kind, "; ".join(problems) or "as expected"), flush=True)
        return bool(problems)

    for name, (op, kernels, pattern, bad, good) in OPERATIONS.items():
        if options.only not in (None, name):
            continue
        for kind in () if options.dry_run else ("async", "blocking"):
            code, text = run(bad, device, blocking=kind == "blocking")
            file = keep(name, kind, text)
            failed += report(name, kind, check_crash(name, kernels, pattern, code, text))
            asserted = [line for line in text.splitlines() if "Assertion `" in line]
            expected.append({
                "file": file, "operation": op, "statement": bad, "torch": version, "launch_blocking": kind == "blocking",
                "first_assertion": asserted[0].strip() if asserted else None, "assertions": len(asserted), "exit_code": code,
            })  # fmt: skip
        code, text = run(bad, device, guarded=True)
        keep(name, "guarded", text)
        failed += report(name, "guarded", check_guarded(op, code, text))
        code, text = run(good, device, guarded=True)
        failed += report(name, "good", check_good(code, text))
    with open(os.path.join(options.output, "expected.json"), "w") as file:
        json.dump(expected, file, indent=1)
    print("%s, PyTorch %s: %s" % (device, version, "%d not as expected" % failed if failed else "all as expected"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
