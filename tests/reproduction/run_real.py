"""Runs minimal reproductions with a real PyTorch and checks that each ends as it promises.

    ASSERT_DOCTOR_REPRODUCTIONS=/tmp/scripts cargo test --lib --no-default-features scripts_can_be_written_out
    python tests/reproduction/run_real.py /tmp/scripts /path/to/torch/bin/python…

Beside each SCRIPT.py stands a SCRIPT.json with what to expect. One line a Python, and one a broken promise; exit code 1 if
there is one. Scripts run with CUDA hidden, one process each.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def older(version, than):
    """Whether a release is older than another, both as texts (1.13.1+cu117, 2.1)."""
    numbers = lambda text: [int(part) for part in text.split("+")[0].split(".")[:2]]
    return numbers(version) < numbers(than)


def run(python, script, version):
    """What is wrong with the run of a script; None where it keeps its promise."""
    promise = json.loads(script.with_suffix(".json").read_text())
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="", PYTHONIOENCODING="utf-8")
    done = subprocess.run(
        [python, "-W", "ignore", str(script)], capture_output=True, text=True, encoding="utf-8", env=environment
    )
    said = (done.stderr if done.returncode else done.stdout).strip()
    # A message may go on over several lines: its first one is the line that begins with the exception's name.
    lines = [line for line in said.splitlines() if line.strip()]
    since = promise["since"]
    if since and older(version, since):
        return None if done.returncode == 0 else f"should run through before {since}: {lines[-1:]}"
    if (done.returncode != 0) != promise["fails_on_cpu"]:
        return f"exit code {done.returncode}: {lines[-1:]}"
    beginnings = [promise["expected"], *promise["other_wordings"]]
    if not any(line.startswith(beginning) for line in lines for beginning in beginnings):
        return f"expected {beginnings}, got {lines[-1:]}"
    return None


def main():
    folder, pythons = Path(sys.argv[1]), sys.argv[2:]
    scripts = sorted(folder.glob("*.py"))
    wrong = 0
    for python in pythons:
        asked = [python, "-c", "import torch; print(torch.__version__)"]
        version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda script: run(python, script, version), scripts))
        broken = [(script.name, answer) for script, answer in zip(scripts, answers) if answer]
        print(f"torch {version}: {len(scripts) - len(broken)} of {len(scripts)} scripts end as they promise")
        for name, answer in broken:
            print(f"  {name}: {answer}")
        wrong += len(broken)
    return 1 if wrong or not scripts else 0


if __name__ == "__main__":
    sys.exit(main())
