"""Runs minimal reproductions with a real PyTorch and checks that each ends as it promises.

    ASSERT_DOCTOR_REPRODUCTIONS=/tmp/scripts cargo test --lib --no-default-features scripts_can_be_written_out
    python tests/reproduction/run_real.py /tmp/scripts /path/to/torch/bin/python ...

Beside each SCRIPT.py stands a SCRIPT.json with what to expect. One line a Python, and one a broken promise; exit code 1 if
there is one. CUDA is hidden. Each script has a process of its own, forked from one that has imported torch.
"""

import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path


def older(version, than):
    """Whether a release is older than another, both as texts (1.13.1+cu117, 2.1)."""
    numbers = lambda text: [int(part) for part in text.split("+")[0].split(".")[:2]]
    return numbers(version) < numbers(than)


def run(script):
    """Exit code and output of a script."""
    with tempfile.TemporaryFile() as out:
        pid = os.fork()
        if pid == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
            code = 0
            try:
                runpy.run_path(str(script), run_name="__main__")
            except BaseException:
                traceback.print_exc()
                code = 1
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(pid, 0)
        out.seek(0)
        return status, out.read().decode("utf-8", "replace")


def judge(script, version):
    """What is wrong with the run of a script; None where it keeps its promise."""
    promise = json.loads(script.with_suffix(".json").read_text())
    status, said = run(script)
    lines = [line for line in said.splitlines() if line.strip()]
    since = promise["since"]
    if since and older(version, since):
        return None if status == 0 else "should run through before %s: %s" % (since, lines[-1:])
    if (status != 0) != promise["fails_on_cpu"]:
        return "status %d: %s" % (status, lines[-1:])
    # A message may go on over several lines: its first one begins with the exception's name.
    beginnings = [promise["expected"]] + promise["other_wordings"]
    if not any(line.startswith(beginning) for line in lines for beginning in beginnings):
        return "expected %s, got %s" % (beginnings, lines[-1:])
    return None


def inside(folder):
    """All scripts, in the Python that runs this."""
    import torch

    scripts = sorted(Path(folder).glob("*.py"))
    broken = [(script.name, judge(script, torch.__version__)) for script in scripts]
    broken = [(name, why) for name, why in broken if why]
    print("torch %s: %d of %d scripts end as they promise" % (torch.__version__, len(scripts) - len(broken), len(scripts)))
    for name, why in broken:
        print("  %s: %s" % (name, why))
    return 1 if broken or not scripts else 0


def main():
    if sys.argv[1] == "--inside":
        return inside(sys.argv[2])
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="", PYTHONWARNINGS="ignore")
    runs = [subprocess.run([python, __file__, "--inside", sys.argv[1]], env=environment) for python in sys.argv[2:]]
    return max((done.returncode for done in runs), default=2)


if __name__ == "__main__":
    sys.exit(main())
