#!/usr/bin/env python3
"""The range check of an array on the GPU, on the CPU and as `auto` chooses, whole processes in turn.

usage: python3 benches/gpu_speed.py PATH/TO/assert-doctor-cli [--megabytes 1024] [--runs 5] [--folder FOLDER]
                                    [--gpu N] [--torch PYTHON]

Writes arrays of labels (.npy, the same bytes every time, standard library only), checks in every run that all contestants
give the same counts, ends and first places, and prints medians of the wall time and of the peak memory. `--torch PYTHON`: a
Python whose torch takes part, with its own start left out; on a GPU where torch has one.
Ends with 1 if an answer differs.
"""
import argparse, array, json, os, statistics, subprocess, sys, tempfile, time

# Name in NumPy, code in Python's `array`, classes, the option for the range.
TYPES = {"int64": ("<i8", "q", 80), "int32": ("<i4", "i", 80), "uint8": ("|u1", "B", 150), "uint16": ("<u2", "H", 50257)}

TORCH = """
import sys, time, numpy, torch
path, hi = sys.argv[1], int(sys.argv[2])
place = "cuda" if torch.cuda.is_available() else "cpu"
torch.zeros(1, device=place)
began = time.perf_counter()
values = numpy.load(path, mmap_mode="r")
values = torch.from_numpy(values[:].astype("int32") if values.dtype == "uint16" else values[:]).to(place)
bad = (values < 0) | (values > hi)
count, least, most = int(bad.sum()), int(values.min()), int(values.max())
first = int(bad.nonzero()[0]) if count else None
print(time.perf_counter() - began, place, count, least, most, first)
"""


def write(path, kind, megabytes):
    descr, code, classes = TYPES[kind]
    size = array.array(code).itemsize
    count = megabytes * 1_000_000 // size
    head = str({"descr": descr, "fortran_order": False, "shape": (count,)}).encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    state, block = 1, array.array(code)
    for _ in range(1 << 16):
        state = (state * 1664525 + 1013904223) % (1 << 32)
        block.append((state >> 12) % classes)
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)
        left = count
        while left:
            part = block if left >= len(block) else block[:left]
            out.write(part.tobytes())
            left -= len(part)
        # Three bad labels, the first one at two thirds.
        start = out.tell() - count * size
        for place in (count * 2 // 3, count * 3 // 4, count - 1):
            out.seek(start + place * size)
            out.write(array.array(code, [classes]).tobytes())
    return classes


def run(command):
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - began, usage.ru_maxrss / 1024, output


def answer(output):
    """Counts, ends and first place as one value; who checked, in words."""
    found = json.loads(output)
    file = found["files"][0]
    bad = [finding for finding in found["findings"] if finding["id"] == "too-big"]
    first = bad[0]["first"]["row"] if bad else None
    return (found["offenders_total"], file["min"], file["max"], file["distinct"], first), found.get("device_use") or found["device"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder")
    parser.add_argument("--gpu")
    parser.add_argument("--torch")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="assert-doctor-bench-")
    gpu = f"gpu:{options.gpu}" if options.gpu else "gpu"
    failed = False
    print(f"{options.megabytes} MB each, {options.runs} runs, medians\n\n| labels | contestant | s | MB/s | peak MB | |\n| --- | --- | ---: | ---: | ---: | --- |")
    for kind in TYPES:
        path = os.path.join(folder, kind + ".npy")
        classes = write(path, kind, options.megabytes)
        check = [options.program, "check", path, "--classes", str(classes), "--json", "--device"]
        contestants = {name: check + [device] for name, device in (("CPU", "cpu"), ("GPU", gpu), ("auto", "auto"))}
        if options.torch:
            contestants["torch"] = [options.torch, "-c", TORCH, path, str(classes - 1)]
        times, peaks, notes, answers = {name: [] for name in contestants}, dict.fromkeys(contestants, 0), {}, {}
        for turn in range(options.runs + 1):
            for name, command in contestants.items():
                seconds, peak, output = run(command)
                if name == "torch":
                    words = output.split()
                    if len(words) < 6:
                        sys.exit("torch gave no answer")
                    seconds, notes[name] = float(words[0]), "without its start, on " + words[1].decode()
                    found = tuple(int(word) for word in words[2:])
                    same = (answers["CPU"][0], answers["CPU"][1], answers["CPU"][2], answers["CPU"][4]) == found
                else:
                    answers[name], used = answer(output)
                    notes[name] = used["text"] if isinstance(used, dict) and used.get("text") else ""
                    same = answers[name] == answers["CPU"]
                if not same:
                    print(f"{kind}, {name}: another answer", file=sys.stderr)
                    failed = True
                if turn:
                    times[name].append(seconds)
                    peaks[name] = max(peaks[name], peak)
        for name in contestants:
            median = statistics.median(times[name])
            print(f"| {kind} | {name} | {median:.2f} | {options.megabytes / median:.0f} | {peaks[name]:.0f} | {notes.get(name, '')} |", flush=True)
        os.remove(path)
    sys.exit(failed)


if __name__ == "__main__":
    main()
