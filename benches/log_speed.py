#!/usr/bin/env python3
"""How fast a log is read, beside tools that only count a word in it.

usage: python3 benches/log_speed.py PATH/TO/assert-doctor-cli [--megabytes 512] [--runs 5] [--folder FOLDER]

Writes three logs (the same bytes every time), checks that each answer is right, then runs all contestants in turn:
one warm-up, then the timed runs. Prints medians of the wall time of the whole process and its peak memory.
Standard library only; ripgrep takes part where it is installed.
"""
import argparse, json, os, shutil, statistics, subprocess, sys, tempfile, time

ASSERT = ("../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [{b},0,0], "
          "thread: [{t},0,0] Assertion `t >= 0 && t < n_classes` failed.\n")
TAIL = """Traceback (most recent call last):
  File "train.py", line 88, in <module>
    loss.backward()
RuntimeError: CUDA error: device-side assert triggered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
"""


def dull(i):
    bar = "█" * (i % 10)
    return (f"2026-01-07 10:{i // 60 % 60:02}:{i % 60:02} | INFO | train:step:{i} - lr 3.0e-04 grad_norm {i % 97 / 10:.3f} mem 8123MiB\n"
            f"\rEpoch {i // 5000}: {i % 100:3}%|{bar:<10}| {i % 5000}/5000 [00:10<00:48, 2.70it/s, loss=1.92]\n")


def write(path, megabytes, kind):
    size = megabytes * 1_000_000
    with open(path, "w", encoding="utf-16-le" if kind == "utf16" else "utf-8", newline="") as out:
        if kind == "utf16":
            out.write("\ufeff")
        written = i = 0
        while written < size:
            if kind == "flood":
                text = "".join(ASSERT.format(b=(i + k) % 64, t=(i + k) % 1024) for k in range(1000))
            else:
                text = "".join(dull(i + k) for k in range(1000))
            i += 1000
            out.write(text)
            written += len(text.encode("utf-16-le" if kind == "utf16" else "utf-8"))
        if kind != "flood":
            out.writelines(ASSERT.format(b=0, t=t) for t in range(128))
            i = 128
        out.write(TAIL)
    return i


def run(command):
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - began, usage.ru_maxrss / 1024, output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--megabytes", type=int, default=512)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="assert-doctor-bench-")
    print(f"{options.megabytes} MB each, {options.runs} runs, medians\n\n| log | contestant | s | MB/s | peak MB |\n| --- | --- | ---: | ---: | ---: |")
    for kind in ("dull", "flood", "utf16"):
        path = os.path.join(folder, kind + ".log")
        count = write(path, options.megabytes, kind)
        contestants = {"assert-doctor-cli diagnose": [options.program, "diagnose", "--json", path], "grep -c": ["grep", "-c", "Assertion", path]}
        if shutil.which("rg"):
            contestants["rg -c"] = ["rg", "-c", "Assertion", path]
        times = {name: [] for name in contestants}
        peaks = dict.fromkeys(contestants, 0)
        for turn in range(options.runs + 1):
            for name, command in contestants.items():
                seconds, peak, output = run(command)
                if name.startswith("assert-doctor"):
                    answer = json.loads(output)
                    found = sum(a["count"] for a in answer["assertions"])
                    assert (answer["causes"][0]["id"], found) == ("label_out_of_range", count), (kind, found, count)
                peaks[name] = max(peaks[name], peak)
                if turn:
                    times[name].append(seconds)
        size = os.path.getsize(path) / 1e6
        for name in contestants:
            median = statistics.median(times[name])
            print(f"| {kind} | {name} | {median:.2f} | {size / median:.0f} | {peaks[name]:.0f} |")
        os.remove(path)
    if not options.folder:
        os.rmdir(folder)


if __name__ == "__main__":
    sys.exit(main())
