"""Prints what the guard prints for every case of cases.py, from a real run: tests/fixtures/guard/violations.txt.

    python violations.py > ../../../tests/fixtures/guard/violations.txt
"""

import contextlib
import io
import json
import linecache
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import torch
import torch.nn.functional as F
from torch import nn

import assert_doctor_guard
from cases import BAD

SCRIPT = "/home/u/train.py"

assert_doctor_guard.install()
torch.manual_seed(0)
for op, check, what, statement in BAD:
    source = "def training_step():\n    %s\n\n\ntraining_step()\n" % statement
    linecache.cache[SCRIPT] = (len(source), None, source.splitlines(True), SCRIPT)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            exec(compile(source, SCRIPT, "exec"), {"torch": torch, "nn": nn, "F": F})
            raise SystemExit("not caught: " + statement)
        except assert_doctor_guard.AssertDoctorGuardError:
            pass
    for line in said.getvalue().splitlines():
        assert '"event":"violation"' in line and '"op":"%s"' % op in line and '"check":"%s"' % check in line, line
        assert '"what":"%s"' % what in line, line
        # This script's own frame is not part of the example.
        record = json.loads(line[len("[assert-doctor] ") :])
        record["frames"] = [frame for frame in record["frames"] if frame["file"] == SCRIPT]
        print("[assert-doctor] " + json.dumps(record, ensure_ascii=True, separators=(",", ":")))
