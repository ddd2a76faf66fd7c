"""Assert Doctor's guard: looks at the values on their way into PyTorch's operations, before a kernel does.

A class label or an index outside its range kills a CUDA context without saying which value it was. The guard
checks ranges and shapes in front of the operation, and raises an ordinary Python error that names the operation,
the position, the value, the allowed range, the shapes and the line of the user's own file.

Three ways to use it:

    import assert_doctor_guard; assert_doctor_guard.install()          # two lines, or one, at the top of the script
    python -m assert_doctor_guard [--cpu] [--workers N] train.py ...   # or: -m package.module ...
    PYTHONPATH=<this folder> ASSERT_DOCTOR_GUARD=1 python train.py     # sitecustomize.py does the rest

It prints lines `[assert-doctor] {...}` on standard error, which the Assert Doctor program reads. It sends nothing
anywhere and writes no file. Python 3.7 or newer; what a version of PyTorch lacks is left out, by feature detection.

Which layer is hooked, and why: the lowest one that Python code looks up by name, that is `torch._C._nn.*`, `torch.*`
and the methods of `torch.Tensor`. Modules (`nn.Embedding`), functional forms, and names that were imported from
`torch.nn.functional` long before all end there. A TorchFunctionMode would see the same calls, but it belongs to one
thread, makes every operation slower and not only these, and is missing in old versions; a dispatch mode costs more
still and sees no Python arguments. Code compiled by `torch.compile` or `torch.jit.script` does not come past here.
"""

from __future__ import annotations

import atexit
import collections
import functools
import importlib.abc
import importlib.util
import inspect
import json
import linecache
import math
import os
import runpy
import sys
import sysconfig
import threading
import time
import types

__version__ = "1.0"
__all__ = ["AssertDoctorGuardError", "install", "memory_monitor"]

SUMMARY_SECONDS = 5.0
LONGEST_LINE = 6000
MOST_FRAMES = 8
MOST_VALUES = 8

torch = None  # The module, once it has been imported: the guard itself never imports it.


class AssertDoctorGuardError(RuntimeError):
    """A call that PyTorch would reject, on a GPU without telling which value was wrong."""


# ---------------------------------------------------------------------------------------------------------------------
# What the guard remembers about this process


class _Operation:
    """What has been seen of one operation."""

    def __init__(self):
        self.calls = 0
        self.values = 0
        self.min = self.max = self.lo = self.hi = None
        self.ignores = False  # ignore_index was the smallest or largest value: next time it is left out at once.

    def saw(self, values, low, high, lo, hi):
        self.values += values
        if low is not None and low == low:
            self.min = low if self.min is None else min(self.min, low)
        if high is not None and high == high:
            self.max = high if self.max is None else max(self.max, high)
        if lo is not None:
            self.lo = lo if self.lo is None else max(self.lo, lo)
        if hi is not None:
            self.hi = hi if self.hi is None else min(self.hi, hi)

    def record(self):
        names = ("calls", "values", "min", "max", "lo", "hi")
        return {name: getattr(self, name) for name in names}


class _State:
    """A forked child gets a new one: what its parent has counted and printed is not its own."""

    def __init__(self, child=False):
        self.began = time.monotonic()
        self.child = child
        self.started = False
        self.ended = False
        self.operations = collections.defaultdict(_Operation)
        self.notes = set()
        self.next_summary = self.began + SUMMARY_SECONDS
        self.first_batch = None
        self.waited = 0.0
        self.batches = 0
        self.peak = 0


class _Settings:
    check = False
    cpu = False
    workers = None
    hooks = []
    installed = False


_state = _State()
_settings = _Settings()
_local = threading.local()


def _is_loader_worker():
    worker = sys.modules.get("torch.utils.data._utils.worker")
    return getattr(worker, "_worker_info", None) is not None


def _is_child():
    """Whether this process was started by multiprocessing: a loader's worker, or a rank that trains."""
    process = sys.modules.get("multiprocessing.process")
    if _state.child or process is None:
        return _state.child
    current = process.current_process()
    parent = getattr(process, "parent_process", lambda: None)()
    # `_inheriting` is set while a spawned child, or a fork server, still unpacks what it was sent.
    return parent is not None or current.name != "MainProcess" or getattr(current, "_inheriting", False)


def _is_launcher():
    """Whether this process only starts those that train."""
    words = list(getattr(sys, "orig_argv", ())) + list(getattr(sys, "argv", ()))[:1]
    names = {os.path.splitext(os.path.basename(word))[0] for word in words[:2] + words[-1:]}
    modules = {"torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch"}
    return bool(names & {"torchrun", "accelerate", "deepspeed"} or modules & set(words))


def _after_fork():
    global _state
    _state = _State(child=True)


# ---------------------------------------------------------------------------------------------------------------------
# Lines


def _rank_and_world():
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            return distributed.get_rank(), distributed.get_world_size()
        world = int(os.environ.get("WORLD_SIZE", "1"))
        return (int(os.environ["RANK"]), world) if world > 1 else (None, None)
    except Exception:
        return None, None


def _clean(value, longest):
    """The same value as JSON can hold it: no NaN, no text longer than `longest`."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, str) and len(value) > longest:
        return value[: longest - 3] + "..."
    if isinstance(value, dict):
        return {str(key): _clean(item, longest) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(item, longest) for item in value]
    return value


def _emit(event, **fields):
    """Prints one line with a single write. Nothing that goes wrong here may reach the training."""
    try:
        record = {"guard": 1, "event": event, "t": round(time.monotonic() - _state.began, 3)}
        rank = _rank_and_world()[0]
        if rank is not None:
            record["rank"] = rank
        record.update(fields)
        line = ""
        # Too long: shorter texts first, then without what only illustrates.
        for longest, without in ((800, ()), (200, ()), (100, ("frames",)), (60, ("frames", "values", "shapes", "hooks"))):
            kept = {key: value for key, value in record.items() if key not in without}
            text = json.dumps(_clean(kept, longest), ensure_ascii=True, separators=(",", ":"))
            line = "[assert-doctor] " + text + "\n"
            if len(line) <= LONGEST_LINE:
                break
        stream = sys.stderr or sys.__stderr__
        stream.write(line)
        stream.flush()
    except Exception:
        pass


def _note(note, op=None, **fields):
    if (note, op) in _state.notes or _is_loader_worker():
        return
    _state.notes.add((note, op))
    if op is not None:
        fields["op"] = op
    _emit("note", id=note, **fields)


def _start():
    """The start line, once per training process."""
    if _state.started or _is_loader_worker():
        return
    _state.started = True
    _state.next_summary = time.monotonic() + SUMMARY_SECONDS
    if _is_child():
        # Children of multiprocessing end without atexit.
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            util.Finalize(None, _end, exitpriority=100)
    _emit(
        "start",
        version=__version__,
        pid=os.getpid(),
        python=".".join(map(str, sys.version_info[:3])),
        torch=str(torch.__version__),
        cuda=getattr(getattr(torch, "version", None), "cuda", None),
        gpu=_gpu_name(),
        hooks=_settings.hooks,
        launch_blocking=os.environ.get("CUDA_LAUNCH_BLOCKING", "0") not in ("", "0"),
        cpu=_settings.cpu,
        workers=_settings.workers,
        world=_rank_and_world()[1],
    )


def _cuda_is_used():
    """Asking must not initialise CUDA: that takes seconds, memory, and forbids forking afterwards."""
    cuda = getattr(torch, "cuda", None)
    try:
        return not _settings.cpu and cuda is not None and cuda.is_initialized()
    except Exception:
        return False


def _gpu_name():
    try:
        return torch.cuda.get_device_name() if _cuda_is_used() else None
    except Exception:
        return None


def _memory():
    """Bytes of the current device, or None where CUDA is not in use. Reads counters only: no synchronisation."""
    if not _cuda_is_used():
        return None
    try:
        cuda = torch.cuda
        _state.peak = max(_state.peak, cuda.max_memory_allocated())
        reserved = getattr(cuda, "memory_reserved", None) or cuda.memory_cached
        return {
            "allocated": cuda.memory_allocated(),
            "reserved": reserved(),
            "peak": _state.peak,
            "total": cuda.get_device_properties(cuda.current_device()).total_memory,
        }
    except Exception:
        return None


def _summary(final=False):
    now = time.monotonic()
    _state.next_summary = now + SUMMARY_SECONDS
    wait = None
    if _state.first_batch is not None:
        since = now - _state.first_batch
        wait = round(min(1.0, _state.waited / since), 4) if since > 0 else 0.0
    _emit(
        "summary",
        final=final,
        elapsed=round(now - _state.began, 3),
        ops={op: seen.record() for op, seen in sorted(list(_state.operations.items()))},
        loader_wait=wait,
        batches=_state.batches,
        memory=_memory(),
        gpu=_gpu_name(),
    )


def _tick():
    """After every call that was looked at. No thread: one would not survive a fork and could write while Python ends."""
    if time.monotonic() >= _state.next_summary and not _is_loader_worker():
        _summary()


def _end():
    if _state.started and not _state.ended:
        _state.ended = True
        _summary(final=True)


# ---------------------------------------------------------------------------------------------------------------------
# The user's own frames


def _folder(path):
    return os.path.join(os.path.normcase(os.path.abspath(path)), "")


@functools.lru_cache(maxsize=None)
def _library_folders():
    paths = sysconfig.get_paths()
    folders = [paths["stdlib"], paths["platstdlib"], os.path.dirname(os.__file__)]
    if getattr(torch, "__file__", None):
        folders.append(os.path.dirname(torch.__file__))
    return tuple(_folder(path) for path in folders)


@functools.lru_cache(maxsize=4096)
def _is_own(filename):
    """Neither PyTorch, nor an installed package, nor Python itself, nor the guard."""
    if filename.startswith("<"):
        return filename.startswith(("<stdin", "<string", "<ipython", "<console"))
    path = os.path.normcase(os.path.abspath(filename))
    parts = path.replace("\\", "/").split("/")
    if "site-packages" in parts or "dist-packages" in parts or filename == __file__:
        return False
    return not path.startswith(_library_folders())


def _frames():
    """The user's own frames, outermost first. Where there is none (`python -m a_trainer`), the nearest outside PyTorch."""
    found, nearest = [], None
    frame = sys._getframe(1)
    while frame is not None:
        filename = frame.f_code.co_filename
        # `python -c "from multiprocessing.spawn import spawn_main ..."` is not the user's.
        if _is_own(filename) and "spawn_main" not in frame.f_globals:
            if len(found) < MOST_FRAMES:
                found.append(_frame_record(frame))
        elif nearest is None and filename != __file__ and not filename.startswith("<"):
            if not os.path.normcase(filename).startswith(_library_folders()):
                nearest = _frame_record(frame)
        frame = frame.f_back
    found.reverse()
    return found or ([nearest] if nearest else [])


def _frame_record(frame):
    code = frame.f_code
    source = linecache.getline(code.co_filename, frame.f_lineno, frame.f_globals).strip()
    return {"file": code.co_filename, "line": frame.f_lineno, "function": code.co_name, "code": source or None}


# ---------------------------------------------------------------------------------------------------------------------
# Reading tensors


@functools.lru_cache(maxsize=None)
def _holds_values(kind):
    """Whether tensors of this class hold their values themselves: fake, distributed and functional ones do not."""
    if not issubclass(kind, torch.Tensor):
        return False
    usual = getattr(torch.Tensor, "__torch_dispatch__", None)
    if kind.__name__ == "FakeTensor" and "torch._dynamo" in sys.modules:
        _note("compiled")
    return getattr(kind, "__torch_dispatch__", usual) is usual


def _readable(*tensors):
    """Whether the values can be read with ordinary operations. The others are left to PyTorch."""
    for tensor in tensors:
        if not _holds_values(type(tensor)):
            return False
        if tensor.layout is not torch.strided or tensor.device.type == "meta" or tensor.is_quantized:
            return False
        if getattr(tensor, "is_nested", False):
            return False
        if tensor.device.type == "cuda" and _is_capturing():
            _note("graph-capture")
            return False
    return True


def _is_capturing():
    """While a CUDA graph is captured, reading a value back would end the capture with an error."""
    capturing = getattr(torch.cuda, "is_current_stream_capturing", None)
    return capturing is not None and capturing()


@functools.lru_cache(maxsize=None)
def _native(*path):
    """Something of `torch._C`, or None where this version has no such thing."""
    return functools.reduce(lambda owner, name: getattr(owner, name, None), path, torch._C)


def _is_traced():
    """Inside `torch.jit.trace` the checks would become part of the graph; inside vmap and its like values are wrapped."""
    tracing = _native("_get_tracing_state")
    if tracing is not None and tracing() is not None:
        return True
    peek = _native("_functorch", "peek_interpreter_stack")
    if peek is not None:
        return peek() is not None
    # Its name in 1.13.
    active = _native("_functorch", "are_transforms_active")
    return active is not None and active()


def _unseen():
    """Hides the checks from the user's dispatch modes (counters of operations, selective checkpointing), while it is held."""
    depth = _native("_len_torch_dispatch_stack")
    if depth is None or depth() == 0:
        return None
    disable = _native("_DisableTorchDispatch")
    return disable() if disable is not None else None


def _numbers(scalars):
    """Python numbers of tensors with one element: from a GPU in one copy, so that a check waits for it only once."""
    if len(scalars) == 1 or scalars[0].device.type == "cpu":
        return [scalar.item() for scalar in scalars]
    return torch.stack([scalar.reshape(()) for scalar in scalars]).tolist()


def _for_reading(tensor):
    tensor = tensor.detach()
    # Old versions cannot reduce half precision on the CPU.
    if tensor.dtype in (torch.float16, torch.bfloat16) and tensor.device.type == "cpu":
        tensor = tensor.to(torch.float32)
    return tensor


def _both_ends(tensor):
    both = getattr(torch, "aminmax", None)
    if both is None:
        return tensor.min(), tensor.max()
    ends = both(tensor)
    return ends[0], ends[1]


def _ends(*tensors):
    """The smallest and the largest value of each, NaN where one is in it: one copy from a GPU for all."""
    ends = [end for tensor in tensors for end in _both_ends(_for_reading(tensor))]
    if len(ends) == 2:
        return [_numbers(ends)]
    if any(end.dtype != ends[0].dtype for end in ends):
        ends = [end.to(torch.float64 if end.is_floating_point() else torch.int64) for end in ends]
    same = all(end.device == ends[0].device for end in ends)
    numbers = _numbers(ends) if same else [end.item() for end in ends]
    return list(zip(numbers[::2], numbers[1::2]))


def _ends_without(tensor, ignore):
    """The same of one tensor of whole numbers, values equal to `ignore` left out; None where there are no others."""
    far = 1 << 62
    tensor = tensor.to(torch.int64)
    ignored = tensor == ignore
    low, high = _numbers([tensor.masked_fill(ignored, far).min(), tensor.masked_fill(ignored, -far).max()])
    return (low, high) if low <= high else (None, None)


def _scan(tensor, is_bad):
    """Number of bad values, the first with its position, and the most frequent ones. Slow; only before raising."""
    shape = list(tensor.shape)
    flat = tensor.detach().to("cpu").reshape(-1)
    count, first, at, seen = 0, None, None, collections.Counter()
    step = 1 << 16
    for start in range(0, flat.numel(), step):
        for offset, value in enumerate(flat[start : start + step].tolist()):
            if is_bad(value):
                if count == 0:
                    first, at = value, start + offset
                count += 1
                key = value if value == value else "NaN"
                if key in seen or len(seen) < 100000:
                    seen[key] += 1
    return count, first, _position(at, shape), [list(pair) for pair in seen.most_common(MOST_VALUES)]


def _position(flat, shape):
    position = []
    for size in reversed(shape):
        flat, rest = divmod(flat or 0, size)
        position.append(rest)
    return position[::-1]


# ---------------------------------------------------------------------------------------------------------------------
# Violations


def _plural(count, one, many):
    return "%d %s" % (count, one if count == 1 else many)


def _violate(hook, check, what, arguments, sentence, **known):
    """Prints the line and raises. `arguments` are the tensors whose shapes explain it, by name."""
    tensor = arguments.get(what)
    frames = _frames()
    own = frames[-1] if frames else {"file": None, "line": None, "function": None, "code": None}
    fields = dict.fromkeys(("value", "index", "dim", "lo", "hi", "ignore", "count", "total", "values", "size_of"))
    fields.update(known)
    shapes = {name: list(item.shape) for name, item in arguments.items() if hasattr(item, "shape")}
    dtype = str(tensor.dtype).replace("torch.", "") if hasattr(tensor, "dtype") else None
    device = str(tensor.device) if hasattr(tensor, "device") else None
    _emit(
        "violation",
        op=hook.op,
        api=hook.api,
        check=check,
        what=what,
        shapes=shapes,
        dtype=dtype,
        device=device,
        message=sentence,
        frames=frames,
        phase="forward",
        training=torch.is_grad_enabled(),
        **fields,
        **own,
    )
    lines = ["%s: %s" % (hook.op, sentence), "  called as  " + hook.api]
    if fields["values"]:
        most = ", ".join("%s (%s)" % (_say(value), _plural(count, "time", "times")) for value, count in fields["values"])
        lines.append("  values     %d of %d are not allowed: %s" % (fields["count"], fields["total"], most))
    if fields["ignore"] is not None:
        lines.append("  ignored    %s (ignore_index)" % fields["ignore"])
    if shapes:
        text = ", ".join("%s %s" % (name, shape) for name, shape in shapes.items())
        lines.append("  shapes     %s%s" % (text, "; %s is %s on %s" % (what, dtype, device) if dtype else ""))
    if own["file"]:
        lines.append("  where      %s:%s in %s" % (own["file"], own["line"], own["function"]))
        if own["code"]:
            lines.append("               " + own["code"])
    raise AssertDoctorGuardError("\n".join(lines))


def _say(value):
    return "%.6g" % value if isinstance(value, float) else str(value)


def _at(what, index):
    return "%s[%s]" % (what, ", ".join(map(str, index))) if index else what


def _out_of_range(hook, what, tensor, lo, hi, size_of, arguments, ignore=None, dim=None, locate=None):
    """Reports the values of `tensor` outside lo..hi (either may be None), which are known to exist."""

    def is_bad(value):
        if ignore is not None and value == ignore:
            return False
        return not ((lo is None or value >= lo) and (hi is None or value <= hi))

    count, value, index, values = _scan(tensor, is_bad)
    if locate is not None:
        index = locate(index)
    allowed = (
        "nothing is allowed, its size is 0" if hi is not None and lo is not None and hi < lo
        else "allowed is %s to %s" % (_say(lo), _say(hi)) if hi is not None
        else "it must not be negative"
    )
    why = " (%s is %d)" % (size_of, hi + 1) if size_of and hi is not None else ""
    sentence = "%s is %s, %s%s." % (_at(what, index), _say(value), allowed, why)
    _violate(
        hook, "nan" if value != value else "range", what, arguments, sentence,
        value=value, index=index, dim=dim, lo=lo, hi=hi, ignore=ignore, count=count,
        total=tensor.numel(), values=values, size_of=size_of,
    )  # fmt: skip


def _require(hook, what, tensor, lo, hi, size_of, arguments, ignore=None, dim=None, locate=None, ends=None, count=True):
    """Every value of `tensor` lies in lo..hi, or equals `ignore`. `ends` where they are known; lengths are not counted."""
    if tensor.numel() == 0:
        return
    seen = _state.operations[hook.op]
    if ignore is None:
        low, high = ends or _ends(tensor)[0]
    else:
        # Leaving values out costs more, so it is only done where the ignored one is known to come.
        low, high = _ends_without(tensor, ignore) if seen.ignores else _ends(tensor)[0]
        if not seen.ignores and ignore in (low, high):
            seen.ignores = True
            low, high = _ends_without(tensor, ignore)
    if count:
        seen.saw(tensor.numel(), low, high, lo, hi)
    if low is None or ((lo is None or low >= lo) and (hi is None or high <= hi)):
        return
    _out_of_range(hook, what, tensor, lo, hi, size_of, arguments, ignore, dim, locate)


# ---------------------------------------------------------------------------------------------------------------------
# The checks, each with the operation's own signature. What PyTorch itself rejects on the host with a clear message is
# left to it, unless the guard can tell more. They end silently where they do not understand the arguments.


def _check_cross_entropy(hook, input, target, weight=None, reduction=1, ignore_index=-100, label_smoothing=0.0, **_):
    if input.dim() > 0 and list(input.shape) == list(target.shape):
        # As PyTorch decides it: a target of the input's shape holds class probabilities, of any value.
        if not target.is_floating_point() and _readable(input, target):
            sentence = "target has the shape of input, so it must hold class probabilities, but its type is %s." % target.dtype
            _violate(hook, "dtype", "target", {"input": input, "target": target}, sentence)
        return
    _check_nll_loss(hook, input, target, weight, reduction, ignore_index)


def _check_nll_loss(hook, input, target, weight=None, reduction=1, ignore_index=-100, **_):
    if not _readable(input, target) or input.dim() == 0 or (input.dim() == 1 and target.dim() > 0):
        return
    arguments = {"input": input, "target": target}
    shape = list(input.shape)
    wanted = shape[:1] + shape[2:] if len(shape) > 1 else []
    if list(target.shape) != wanted:
        if target.dim() > 0 and target.shape[0] != shape[0]:
            sentence = "input holds %d samples, target %d." % (shape[0], target.shape[0])
        else:
            sentence = "target has shape %s, for an input of shape %s it must be %s." % (list(target.shape), shape, wanted)
        _violate(hook, "shape", "target", arguments, sentence)
    if target.dtype not in (torch.int64, torch.uint8):
        sentence = "target must hold class numbers as int64, its type is %s." % target.dtype
        _violate(hook, "dtype", "target", arguments, sentence)
    classes = 1 if len(shape) > 1 else 0
    _require(hook, "target", target, 0, shape[classes] - 1, "input.size(%d)" % classes, arguments, ignore=ignore_index)


def _check_embedding(hook, weight, indices, *_, **__):
    # padding_idx exempts nothing: its row is read like any other. A weight without columns is never read.
    if not _readable(weight, indices) or weight.dim() != 2 or weight.shape[1] == 0 or _not_integer(indices):
        return
    arguments = {"weight": weight, "input": indices}
    _require(hook, "input", indices, 0, weight.shape[0] - 1, "weight.size(0)", arguments)


def _check_embedding_bag(
    hook, weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False,
    per_sample_weights=None, include_last_offset=False, *_, **__
):  # fmt: skip
    if not _readable(weight, indices, offsets) or weight.dim() != 2 or indices.dim() != 1 or offsets.dim() != 1:
        return
    if _not_integer(indices) or _not_integer(offsets):
        return
    arguments = {"weight": weight, "input": indices, "offsets": offsets}
    # functional.embedding_bag flattens two-dimensional input; the position is told in the user's own shape.
    base = getattr(indices, "_base", None)
    flattened = base is not None and base.dim() == 2 and base.numel() == indices.numel() and base.shape[0] == offsets.numel()
    locate = (lambda index: list(divmod(index[0], base.shape[1]))) if flattened else None
    inside, beginnings, first = None, None, 0
    if indices.numel() > 0 and offsets.numel() > 0:
        inside, beginnings, (first, _) = _ends(indices, offsets, offsets[0])
    rows = weight.shape[0]
    _require(hook, "input", indices, 0, rows - 1, "weight.size(0)", arguments, locate=locate, ends=inside)
    if first != 0:
        sentence = "offsets[0] is %s, the first bag must begin at 0." % first
        _violate(
            hook, "range", "offsets", arguments, sentence, value=first, index=[0], lo=0, hi=0,
            count=1, total=offsets.numel(), values=[[first, 1]],
        )  # fmt: skip
    _require(hook, "offsets", offsets, 0, indices.numel(), None, arguments, ends=beginnings, count=False)


def _check_gather(hook, input, dim, index, *_, **__):
    dim = _dimension(input, dim)
    if dim is None or not _readable(input, index) or index.numel() == 0 or _not_integer(index):
        return
    arguments = {"input": input, "index": index}
    _same_dimensions(hook, arguments, input, "input", index, dim)
    _require(hook, "index", index, 0, _size(input, dim) - 1, "input.size(%d)" % dim, arguments, dim=dim)


def _check_scatter(hook, input, dim, index, src=None, *_, **__):
    dim = _dimension(input, dim)
    if dim is None or not _readable(input, index) or index.numel() == 0 or _not_integer(index):
        return
    arguments = {"input": input, "index": index}
    if isinstance(src, torch.Tensor):
        arguments["src"] = src
    _same_dimensions(hook, arguments, input, "input", index, dim)
    if isinstance(src, torch.Tensor):
        _same_dimensions(hook, arguments, src, "src", index, None)
    _require(hook, "index", index, 0, _size(input, dim) - 1, "input.size(%d)" % dim, arguments, dim=dim)


def _same_dimensions(hook, arguments, other, name, index, free):
    """`index` has as many dimensions as `other` and is nowhere larger, except in the dimension `free`."""
    if max(index.dim(), 1) != max(other.dim(), 1):
        sentence = "index has %s, %s has %d." % (_plural(index.dim(), "dimension", "dimensions"), name, other.dim())
        _violate(hook, "shape", "index", arguments, sentence, dim=free)
    for d in range(index.dim()):
        if d != free and index.shape[d] > _size(other, d):
            sentence = "index is larger than %s in dimension %d: %d against %d." % (name, d, index.shape[d], _size(other, d))
            _violate(hook, "shape", "index", arguments, sentence, dim=d)


def _check_index_select(hook, input, dim, index, *_, **__):
    _check_index_vector(hook, input, dim, index, wraps=False)


def _check_index_fill(hook, input, dim, index, *_, **__):
    _check_index_vector(hook, input, dim, index, wraps=True)


def _check_index_vector(hook, input, dim, index, wraps):
    dim = _dimension(input, dim)
    if dim is None or not _readable(input, index) or index.dim() > 1 or input.numel() == 0 or _not_integer(index):
        return
    size = _size(input, dim)
    arguments = {"input": input, "index": index}
    _require(hook, "index", index, -size if wraps else 0, size - 1, "input.size(%d)" % dim, arguments, dim=dim)


# Types of an index that never reach the kernel: they are resolved to views on the host, with clear errors.
_SIMPLE_INDEX = (int, slice, type(None), type(Ellipsis), bool)


def _check_getitem(hook, input, index, *_):
    parts = index if isinstance(index, tuple) else (index,)
    _check_indices(hook, input, parts, none_width=0)


def _check_index_put(hook, input, indices, *_, **__):
    # Here None stands for a whole dimension, not for a new one.
    _check_indices(hook, input, tuple(indices), none_width=1)


def _check_indices(hook, input, parts, none_width):
    parts = [_index_tensor(part) for part in parts]
    tensors = [part for part in parts if isinstance(part, torch.Tensor)]
    if any(part is NotImplemented for part in parts) or not tensors or not _readable(input, *tensors):
        return

    def width(part):
        if isinstance(part, torch.Tensor):
            return part.dim() if _is_mask(part) else 1
        return none_width if part is None else 0 if part is Ellipsis or isinstance(part, bool) else 1

    spare = input.dim() - sum(map(width, parts))
    # Nothing is read where nothing is selected; and too many indices are PyTorch's to reject.
    if input.numel() == 0 or spare < 0 or any(part.numel() == 0 and not _is_mask(part) for part in tensors):
        return
    dim, masked, whole = 0, [], []
    for part in parts:
        if part is Ellipsis:
            dim += spare
        elif isinstance(part, torch.Tensor) and _is_mask(part):
            shape = list(input.shape)[dim : dim + part.dim()]
            if list(part.shape) != shape:
                sentence = "the mask has shape %s, the indexed dimensions have %s." % (list(part.shape), shape)
                _violate(hook, "shape", "index", {"input": input, "index": part}, sentence, dim=dim)
            masked.append(part)
        elif isinstance(part, torch.Tensor) and part.dim() > 0 and not _not_integer(part):
            whole.append((part, dim))
        elif isinstance(part, slice) and not range(*part.indices(input.shape[dim])):
            return
        dim += width(part)
    if whole and not all(part.any().item() for part in masked):
        return
    _require_indices(hook, input, whole)


def _require_indices(hook, input, whole):
    if not whole:
        return
    for (index, dim), ends in zip(whole, _ends(*(index for index, _ in whole))):
        size = input.shape[dim]
        arguments = {"input": input, "index": index}
        _require(hook, "index", index, -size, size - 1, "input.size(%d)" % dim, arguments, dim=dim, ends=ends)


def _index_tensor(part):
    """A list or array of numbers as a tensor; NotImplemented for what PyTorch may read in more than one way."""
    if isinstance(part, (list, range)):
        kinds = {type(item) for item in part}
        return torch.tensor(list(part)) if kinds == {int} or kinds == {bool} else NotImplemented
    if type(part).__module__ == "numpy":
        usable = getattr(part, "ndim", 0) == 1 and part.dtype.kind in "iub"
        return torch.as_tensor(part) if usable else NotImplemented
    return part if isinstance(part, (torch.Tensor,) + _SIMPLE_INDEX) else NotImplemented


def _is_mask(tensor):
    return tensor.dtype in (getattr(torch, "bool", torch.uint8), torch.uint8)


def _check_one_hot(hook, tensor=None, num_classes=-1, **others):
    tensor = others.get("self", others.get("input", tensor))
    if not _readable(tensor) or tensor.dtype != torch.int64 or tensor.numel() == 0:
        return
    hi = num_classes - 1 if num_classes > 0 else None
    size_of = "num_classes" if hi is not None else None
    _require(hook, "input", tensor, 0, hi, size_of, {"input": tensor})


def _check_binary_cross_entropy(hook, input, target, weight=None, *_, **__):
    if not _readable(input, target) or not input.is_floating_point():
        return
    arguments = {"input": input, "target": target}
    # Older versions accept any target.
    if _version() < (2, 1) or input.numel() == 0 or target.numel() == 0:
        _require(hook, "input", input, 0.0, 1.0, None, arguments)
        return
    for (name, tensor), ends in zip(arguments.items(), _ends(input, target)):
        _require(hook, name, tensor, 0.0, 1.0, None, arguments, ends=ends)


def _check_multinomial(hook, input, num_samples, replacement=False, *_, **__):
    if not _readable(input) or input.dim() not in (1, 2) or input.numel() == 0 or not input.is_floating_point():
        return
    arguments = {"input": input}
    rows = _for_reading(input).reshape(-1, input.shape[-1])
    low, high, emptiest = _numbers([rows.min(), rows.max(), rows.max(1)[0].min()])
    _state.operations[hook.op].saw(input.numel(), low, high, 0.0, None)
    if not (low >= 0 and high < math.inf):
        count, value, index, values = _scan(input, lambda value: not 0 <= value < math.inf)
        sentence = "%s is %s, a probability must be finite and not negative." % (_at("input", index), _say(value))
        _violate(
            hook, "nan" if value != value else "range", "input", arguments, sentence, value=value, index=index,
            lo=0.0, count=count, total=input.numel(), values=values,
        )  # fmt: skip
    if emptiest == 0:
        sums = rows.max(1)[0].tolist()
        row = [sums.index(0)] if input.dim() == 2 else []
        sentence = "all probabilities of %s are 0, nothing can be drawn." % _at("input", row)
        _violate(
            hook, "sum", "input", arguments, sentence, value=0.0, index=row,
            count=sum(1 for value in sums if value == 0), total=len(sums),
        )  # fmt: skip


def _check_ctc_loss(hook, log_probs, targets, input_lengths, target_lengths, blank=0, *_, **__):
    # No kernel asserts here, neither on the CPU nor on a GPU: a wrong number reads foreign memory, or nothing happens.
    tensors = [item for item in (log_probs, targets, input_lengths, target_lengths) if isinstance(item, torch.Tensor)]
    if not _readable(*tensors) or log_probs.dim() not in (2, 3) or targets.dim() not in (1, 2):
        return
    steps, classes = log_probs.shape[0], log_probs.shape[-1]
    arguments = {"log_probs": log_probs, "targets": targets}
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        arguments[name] = lengths if isinstance(lengths, torch.Tensor) else torch.tensor(lengths)
    lengths = arguments["target_lengths"]
    _require(hook, "input_lengths", arguments["input_lengths"], 0, steps, None, arguments, count=False)
    room = targets.shape[-1] if targets.dim() == 2 else targets.numel()
    _require(hook, "target_lengths", lengths, 0, room, None, arguments, count=False)
    used = lengths.reshape(-1).tolist()
    if targets.dim() == 1 and sum(used) > room:
        sentence = "target_lengths add up to %d, targets holds %d." % (sum(used), room)
        _violate(hook, "shape", "target_lengths", arguments, sentence)
    # Only what the lengths cover is read; the rest is padding of any value.
    rows = targets.tolist() if targets.dim() == 2 else [targets.tolist()[: sum(used)]]
    covered = [(row, at, value) for row, values in enumerate(rows) for at, value in enumerate(
        values[: used[row]] if targets.dim() == 2 and row < len(used) else values)]  # fmt: skip
    if not covered:
        return
    lo = 1 if blank == 0 else 0
    hi = classes - 2 if blank == classes - 1 and blank > 0 else classes - 1
    numbers = [value for _, _, value in covered]
    _state.operations[hook.op].saw(len(numbers), min(numbers), max(numbers), lo, hi)
    bad = [item for item in covered if not lo <= item[2] <= hi or item[2] == blank]
    if bad:
        row, at, value = bad[0]
        index = [row, at] if targets.dim() == 2 else [at]
        why = "which is the blank" if value == blank else "allowed is %d to %d" % (lo, hi)
        sentence = "%s is %d, %s (log_probs.size(-1) is %d)." % (_at("targets", index), value, why, classes)
        seen = collections.Counter(item[2] for item in bad).most_common(MOST_VALUES)
        _violate(
            hook, "range", "targets", arguments, sentence, value=value, index=index, lo=lo, hi=hi, ignore=None,
            count=len(bad), total=len(covered), values=[list(pair) for pair in seen], size_of="log_probs.size(-1)",
        )  # fmt: skip


def _dimension(tensor, dim):
    """`dim` counted from the front; None for a name or a number that PyTorch rejects."""
    dims = max(tensor.dim(), 1)
    if type(dim) is not int or not -dims <= dim < dims:
        return None
    return dim % dims


def _size(tensor, dim):
    return tensor.shape[dim] if tensor.dim() else 1


def _not_integer(tensor):
    return tensor.is_floating_point() or tensor.dtype == getattr(torch, "bool", None)


@functools.lru_cache(maxsize=None)
def _version():
    """(major, minor), only for what no feature tells."""
    digits = str(torch.__version__).split(".")[:2]
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in digits)


# ---------------------------------------------------------------------------------------------------------------------
# Hooks

_F, _T, _M = "torch._C._nn", "torch", "torch.Tensor"

# operation, check, (where it is looked up, names there), the name that users know (%s: the name looked up)
_HOOKS = (
    ("cross_entropy", _check_cross_entropy, ((_F, "cross_entropy_loss"),), "torch.nn.functional.cross_entropy"),
    # Before 1.10 cross_entropy ended here as well, and before 1.9 under the two older names.
    ("nll_loss", _check_nll_loss, ((_F, "nll_loss_nd nll_loss nll_loss2d"),), "torch.nn.functional.nll_loss"),
    ("embedding", _check_embedding, ((_T, "embedding embedding_renorm_"),), "torch.nn.functional.embedding"),
    ("embedding_bag", _check_embedding_bag, ((_T, "embedding_bag"),), "torch.nn.functional.embedding_bag"),
    ("gather", _check_gather, ((_T, "gather"), (_M, "gather")), None),
    ("scatter", _check_scatter, ((_T, "scatter scatter_reduce"), (_M, "scatter scatter_ scatter_reduce scatter_reduce_")), None),
    ("scatter_add", _check_scatter, ((_T, "scatter_add"), (_M, "scatter_add scatter_add_")), None),
    ("index_select", _check_index_select, ((_T, "index_select"), (_M, "index_select")), None),
    ("index", _check_getitem, ((_M, "__getitem__ __setitem__"),), None),
    ("index", _check_index_put, ((_T, "index_put index_put_"), (_M, "index_put index_put_")), None),
    ("index", _check_index_select, ((_T, "index_add index_copy"), (_M, "index_add index_add_ index_copy index_copy_")), None),
    ("index", _check_index_fill, ((_T, "index_fill"), (_M, "index_fill index_fill_")), None),
    # functional.one_hot is the same object as the one in torch._C._nn, under two names.
    ("one_hot", _check_one_hot, ((_F, "one_hot"), ("torch.nn.functional", "one_hot")), "torch.nn.functional.one_hot"),
    ("binary_cross_entropy", _check_binary_cross_entropy, ((_F, "binary_cross_entropy"),), "torch.nn.functional.binary_cross_entropy"),
    ("multinomial", _check_multinomial, ((_T, "multinomial"), (_M, "multinomial")), None),
    ("ctc_loss", _check_ctc_loss, ((_T, "ctc_loss"),), "torch.nn.functional.ctc_loss"),
)  # fmt: skip


class _Hook:
    """One hooked name: the operation, the name as users know it, the check."""

    def __init__(self, op, api, check):
        self.op = op
        self.api = api
        self.check = check

    def look(self, args, kwargs):
        """The error that this call deserves, or None. A fault of the guard itself costs a check, never the training."""
        if getattr(_local, "busy", False):
            return None
        _local.busy = True
        unseen = None  # Held until the end of the check.
        try:
            if _is_traced():
                return None
            unseen = _unseen()
            if not _state.started:
                _start()
            _state.operations[self.op].calls += 1
            self.check(self, *args, **kwargs)
            _tick()
        except AssertDoctorGuardError as error:
            return error
        except Exception as fault:
            # An earlier kernel's error, which only showed when a value was read: it is the truth, and near its cause.
            if "CUDA error" in str(fault) or "HIP error" in str(fault):
                raise
            _note("error", self.op, message="%s: %s" % (type(fault).__name__, fault))
        finally:
            del unseen
            _local.busy = False
        return None


def _resolve(dotted):
    owner = torch
    for name in dotted.split(".")[1:]:
        owner = getattr(owner, name, None)
    return owner


def _wrap(original, hook, owner, name):
    """The function that takes the place of `original`."""
    is_method = isinstance(owner, type)
    overrides = sys.modules.get("torch.overrides")
    is_overridden = getattr(overrides, "has_torch_function", lambda _: False)
    compiler = getattr(torch, "compiler", None)
    is_compiling = getattr(compiler, "is_compiling", lambda: False)
    # True in what is being traced, and only there: a line printed from there would split the graph.
    is_traced = getattr(compiler, "is_dynamo_compiling", lambda: False)
    look = hook.look

    def hooked(*args, **kwargs):
        if is_compiling():
            if not is_traced():
                _note("compiled")
            return original(*args, **kwargs)
        if is_overridden(args + tuple(kwargs.values()) if kwargs else args):
            # Subclasses of Tensor, modes and fx proxies decide first; they come back here with ordinary tensors. A
            # method finds its replacement by name; a function must say that it is the public one, as it now is.
            if is_method:
                return original(*args, **kwargs)
            return overrides.handle_torch_function(hooked, args + tuple(kwargs.values()), *args, **kwargs)
        error = look(args, kwargs)
        if error is not None:
            raise error.with_traceback(None)
        return original(*args, **kwargs)

    if name in ("__getitem__", "__setitem__"):
        # The most frequent of all: numbers and slices need no look, and no arguments packed.
        simple = frozenset(_SIMPLE_INDEX)
        general = hooked

        def hooked(self, index, *value):
            kind = type(index)
            if kind in simple or (kind is tuple and simple.issuperset(map(type, index))):
                return original(self, index, *value)
            return general(self, index, *value)

    hooked.__name__ = name
    hooked.__qualname__ = "Tensor." + name if is_method else name
    hooked.__module__ = "torch._tensor" if is_method else getattr(owner, "__name__", "torch")
    hooked.__doc__ = getattr(original, "__doc__", None)
    hooked.__assert_doctor_original__ = original
    return hooked


def _install_hooks():
    replaced = {}
    for op, check, places, public in _HOOKS:
        for where, names in places:
            owner = _resolve(where)
            for name in names.split():
                original = getattr(owner, name, None)
                if original is None or hasattr(original, "__assert_doctor_original__"):
                    continue
                hooked = replaced.get(id(original), (None, None))[1]
                if hooked is None:
                    hook = _Hook(op, public or "%s.%s" % (where, name), check)
                    hooked = _wrap(original, hook, owner, name)
                    if not isinstance(owner, type):
                        replaced[id(original)] = (original, hooked)
                        _tell_script_compiler(hooked, name)
                setattr(owner, name, hooked)
                if op not in _settings.hooks:
                    _settings.hooks.append(op)
    for op in dict.fromkeys(entry[0] for entry in _HOOKS):
        if op not in _settings.hooks:
            _note("hook-missing", op)
    _replace_early_imports(replaced)


def _tell_script_compiler(hooked, name):
    """`torch.jit.script` knows the operations by the identity of their Python function."""
    builtins = sys.modules.get("torch.jit._builtins")
    register = getattr(builtins, "_register_builtin", None)
    if register is not None:
        register(hooked, "aten::" + name)


def _replace_early_imports(replaced):
    """`from torch import gather` in a module that was imported before the guard holds the original: it is exchanged."""
    for module_name, module in list(sys.modules.items()):
        if module_name.split(".")[0] == "torch" or not isinstance(module, types.ModuleType):
            continue
        for name, value in list(vars(module).items()):
            original, hooked = replaced.get(id(value), (None, None))
            if original is not None and original is value:
                setattr(module, name, hooked)


# ---------------------------------------------------------------------------------------------------------------------
# The loader: how long the training loop waits for it, and its number of workers


def _install_loader():
    loader = sys.modules.get("torch.utils.data.dataloader")
    if loader is None:
        return
    for kind in list(vars(loader).values()):
        if isinstance(kind, type) and kind.__name__.endswith("DataLoaderIter") and "__next__" in vars(kind):
            kind.__next__ = _timed(kind.__next__)
    if _settings.workers is not None:
        loader.DataLoader.__init__ = _with_workers(loader.DataLoader.__init__)


def _timed(original):
    @functools.wraps(original)
    def __next__(self):
        # A loader that reads from another one is measured once; inside a worker nobody waits.
        if getattr(_local, "loading", False) or _is_loader_worker():
            return original(self)
        _local.loading = True
        began = time.monotonic()
        try:
            batch = original(self)
        finally:
            _local.loading = False
        now = time.monotonic()
        _state.batches += 1
        # The first batch is the beginning of the count: until then workers start and caches fill.
        if _state.first_batch is None:
            _state.first_batch = now
        else:
            _state.waited += now - began
        _start()
        _tick()
        return batch

    return __next__


def _with_workers(original):
    signature = inspect.signature(original)

    @functools.wraps(original)
    def __init__(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        before, after = bound.arguments.get("num_workers", 0), _settings.workers
        bound.arguments["num_workers"] = after
        if after == 0:
            # Each of these is an error without workers.
            for name in ("prefetch_factor", "persistent_workers", "timeout", "multiprocessing_context"):
                bound.arguments.pop(name, None)
        if before != after:
            _note("workers", **{"from": before, "to": after})
        original(*bound.args, **bound.kwargs)

    return __init__


# ---------------------------------------------------------------------------------------------------------------------
# Memory


class memory_monitor:
    """Prints memory before and after a call, and its peak: `@memory_monitor("step")` or `with memory_monitor("step"):`.

    It resets PyTorch's own peak counter at its beginning. Counters are read, nothing is synchronised.
    """

    def __init__(self, name):
        self._function = name if callable(name) else None
        self.name = getattr(name, "__qualname__", str(name)) if callable(name) else name
        self._entered = []
        if self._function is not None:
            functools.update_wrapper(self, self._function)

    def __call__(self, *args, **kwargs):
        if self._function is not None:
            with memory_monitor(self.name):
                return self._function(*args, **kwargs)
        function = args[0]

        @functools.wraps(function)
        def monitored(*args, **kwargs):
            with memory_monitor(self.name):
                return function(*args, **kwargs)

        return monitored

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __enter__(self):
        _adopt_torch()
        before = _memory()
        if before is not None:
            getattr(torch.cuda, "reset_peak_memory_stats", torch.cuda.reset_max_memory_allocated)()
        self._entered.append((before, time.monotonic()))
        return self

    def __exit__(self, *_):
        before, began = self._entered.pop()
        elapsed = round(time.monotonic() - began, 3)
        after = _memory()
        record = {"name": self.name, "before": None, "after": None, "elapsed": elapsed, "total": None}
        if before is not None and after is not None:
            record["before"] = {key: before[key] for key in ("allocated", "reserved")}
            record["after"] = {"allocated": after["allocated"], "reserved": after["reserved"]}
            record["after"]["peak"] = torch.cuda.max_memory_allocated()
            record["total"] = after["total"]
        if not _is_loader_worker():
            _emit("memory", **record)
        return False


# ---------------------------------------------------------------------------------------------------------------------
# --cpu: scripts written for a GPU run on the CPU, unchanged. Hiding the GPU alone would make their `.cuda()` fail.
# PyTorch itself and installed packages are told that there is no GPU, so that they take their own ways for the CPU; the
# user's own code is told that there is one, since many scripts stop without.

_FACTORIES = (
    "arange as_tensor asarray bartlett_window blackman_window empty empty_like empty_strided eye from_file full full_like "
    "hamming_window hann_window kaiser_window linspace logspace normal ones ones_like rand rand_like randint randint_like "
    "randn randn_like randperm range scalar_tensor sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor "
    "sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor tensor tril_indices triu_indices zeros zeros_like"
).split()
_NEW = "new new_empty new_empty_strided new_full new_ones new_tensor new_zeros".split()
_SILENT = (
    "empty_cache init ipc_collect manual_seed manual_seed_all reset_accumulated_memory_stats reset_max_memory_allocated "
    "reset_max_memory_cached reset_peak_memory_stats seed seed_all set_device set_per_process_memory_fraction set_rng_state "
    "set_rng_state_all set_stream set_sync_debug_mode synchronize"
).split()
_ZERO = (
    "current_device max_memory_allocated max_memory_cached max_memory_reserved memory_allocated memory_cached "
    "memory_reserved utilization"
).split()


def _is_cuda(device):
    if isinstance(device, str):
        return device == "cuda" or device.startswith("cuda:")
    # A whole number as a device is the number of a GPU.
    return getattr(device, "type", None) == "cuda" or (isinstance(device, int) and not isinstance(device, bool))


def _note_redirect(api):
    if ("cpu-redirect", None) not in _state.notes:
        own = (_frames() or [{}])[-1]
        _note("cpu-redirect", api=api, file=own.get("file"), line=own.get("line"))


def _on_cpu(kwargs):
    if "device" in kwargs and kwargs["device"] is not None and _is_cuda(kwargs["device"]):
        _note_redirect("device=")
        kwargs["device"] = torch.device("cpu")
    if kwargs.get("pin_memory"):
        kwargs["pin_memory"] = False
    return kwargs


def _for_user(yes, no):
    """Answers the user's own code with `yes`, and everybody else with `no`."""

    def answer(*_, **__):
        return yes if _is_own(sys._getframe(1).f_code.co_filename) else no

    return answer


def _replace(owner, name, make):
    """`owner.name = make(original)`, where there is one."""
    original = None if owner is None else getattr(owner, name, None)
    if original is None:
        return
    replacement = make(original)
    for attribute in ("__name__", "__qualname__", "__doc__", "__module__"):
        try:
            setattr(replacement, attribute, getattr(original, attribute))
        except (AttributeError, TypeError):
            pass
    setattr(owner, name, replacement)


def _redirecting(original):
    """A factory, with its keyword `device` redirected."""
    overrides = sys.modules.get("torch.overrides")
    is_overridden = getattr(overrides, "has_torch_function", lambda _: False)

    def factory(*args, **kwargs):
        # `with torch.device("meta"):` and other modes know the factories by their public identity, which is this one.
        if is_overridden(args + (None,)):
            return overrides.handle_torch_function(factory, args, *args, **_on_cpu(kwargs))
        return original(*args, **_on_cpu(kwargs))

    return factory


def _moving(original):
    """`to(...)` of tensors and modules: the device may also be the first argument."""

    def to(self, *args, **kwargs):
        if args and _is_cuda(args[0]):
            _note_redirect(".to()")
            args = (torch.device("cpu"),) + args[1:]
        return original(self, *args, **_on_cpu(kwargs))

    return to


def _staying(_):
    def cuda(self, *_, **__):
        _note_redirect(".cuda()")
        return self

    return cuda


def _install_cpu():
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # What is not redirected fails plainly instead of using half a GPU.
    for name in _FACTORIES:
        _replace(torch, name, _redirecting)
    for name in ("fftfreq", "rfftfreq"):
        _replace(getattr(torch, "fft", None), name, _redirecting)
    tensor, module = torch.Tensor, torch.nn.Module
    for name in _NEW:
        _replace(tensor, name, lambda original: lambda self, *args, **kwargs: original(self, *args, **_on_cpu(kwargs)))
    for owner in (tensor, module):
        _replace(owner, "to", _moving)
        _replace(owner, "cuda", _staying)
    _replace(module, "to_empty", _moving)
    _replace(tensor, "pin_memory", lambda _: lambda self, *_, **__: self)
    _replace(tensor, "type", _typed)
    for name in ("set_default_device", "set_default_tensor_type"):
        _replace(torch, name, lambda original: lambda kind: original(_cpu_name(kind)))
    mode = getattr(sys.modules.get("torch.utils._device"), "DeviceContext", None)
    _replace(mode, "__init__", lambda original: lambda self, device: original(self, "cpu" if _is_cuda(device) else device))
    for owner in (torch, torch.jit):
        _replace(owner, "load", _loading)
    _replace(torch, "Generator", _generator)
    _install_cpu_cuda(torch.cuda)
    _install_cpu_distributed()
    loader = getattr(sys.modules.get("torch.utils.data.dataloader"), "DataLoader", None)
    _replace(loader, "__init__", _unpinned)


def _cpu_name(kind):
    """The CPU's counterpart of a device or of a tensor type."""
    if isinstance(kind, str):
        return "cpu" if _is_cuda(kind) else kind.replace("torch.cuda.", "torch.")
    if getattr(kind, "__module__", None) == "torch.cuda":
        return getattr(torch, kind.__name__)
    return torch.device("cpu") if _is_cuda(kind) else kind


def _typed(original):
    def type(self, dtype=None, *args, **kwargs):
        return original(self, dtype if dtype is None else _cpu_name(dtype), *args, **kwargs)

    return type


def _loading(original):
    def load(f, map_location=None, *args, **kwargs):
        kept = map_location if str(map_location) in ("cpu", "meta") else "cpu"
        return original(f, kept, *args, **kwargs)

    return load


def _generator(original):
    class Kind(type(original)):
        def __instancecheck__(cls, instance):
            return isinstance(instance, original)

    class Generator(original, metaclass=Kind):
        def __new__(cls, device="cpu"):
            return original("cpu" if _is_cuda(device) else device)

    return Generator


def _unpinned(original):
    signature = inspect.signature(original)

    def __init__(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.arguments.pop("pin_memory", None)
        bound.arguments.pop("pin_memory_device", None)
        original(*bound.args, **bound.kwargs)

    __init__.__signature__ = signature
    return __init__


class _Context:
    """Stands for streams and device contexts: does nothing, and takes any call."""

    def __init__(self, *_, **__):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def synchronize(self, *_, **__):
        pass

    wait_event = wait_stream = synchronize

    def record_event(self, event=None):
        event = event or _Event()
        event.record()
        return event

    def query(self):
        return True


class _Event(_Context):
    """An event that keeps the time."""

    def record(self, *_):
        self.at = time.perf_counter()

    def wait(self, *_):
        pass

    def elapsed_time(self, other):
        return (other.at - self.at) * 1000.0


def _install_cpu_cuda(cuda):
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        size = 16 << 30
    properties = types.SimpleNamespace(
        name="CPU (Assert Doctor)", major=7, minor=0, total_memory=size, multi_processor_count=os.cpu_count() or 1
    )
    stream = _Context()
    answers = {
        "is_available": _for_user(True, False),
        "is_initialized": lambda: False,
        "is_bf16_supported": lambda *_, **__: True,
        "device_count": _for_user(1, 0),
        "get_device_name": lambda *_: properties.name,
        "get_device_capability": lambda *_: (properties.major, properties.minor),
        "get_device_properties": lambda *_: properties,
        "get_rng_state": lambda *_: torch.get_rng_state(),
        "get_rng_state_all": lambda: [],
        "initial_seed": lambda: torch.initial_seed(),
        "mem_get_info": lambda *_: (size, size),
        "memory_stats": lambda *_: collections.defaultdict(int),
        "memory_summary": lambda *_, **__: "",
        "memory_snapshot": lambda *_: [],
        "current_stream": lambda *_: stream,
        "default_stream": lambda *_: stream,
        "stream": lambda *_: stream,
        "Stream": _Context,
        "Event": _Event,
        "device": _Context,
        "device_of": _Context,
    }
    answers.update((name, lambda *_, **__: None) for name in _SILENT)
    answers.update((name, lambda *_, **__: 0) for name in _ZERO)
    for name, answer in answers.items():
        if hasattr(cuda, name):
            setattr(cuda, name, answer)
    for name in "Float Double Half BFloat16 Byte Char Short Int Long Bool".split():
        kind = getattr(torch, name + "Tensor", None)
        if kind is not None:
            setattr(cuda, name + "Tensor", kind)
    marks = getattr(cuda, "nvtx", None)
    for name in ("mark", "range_push", "range_pop", "range_start", "range_end"):
        _replace(marks, name, lambda _: lambda *_, **__: None)
    _replace(marks, "range", lambda _: _Context)
    # Mixed precision stays off, as PyTorch does it without a GPU, only without its warning.
    _replace(getattr(torch, "autocast", None), "__init__", _without_cuda)
    amp = getattr(cuda, "amp", None)
    for owner in (amp, getattr(torch, "amp", None)):
        scaler = getattr(owner, "GradScaler", None)
        # The CUDA one of newer versions only calls the general one, which then is replaced already.
        if scaler is not None and "__init__" in vars(scaler):
            _replace(scaler, "__init__", _disabled)


def _without_cuda(original):
    def __init__(self, device_type, *args, **kwargs):
        if device_type == "cuda":
            return original(self, "cpu", enabled=False)
        return original(self, device_type, *args, **kwargs)

    return __init__


def _disabled(original):
    signature = inspect.signature(original)

    def __init__(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.arguments["enabled"] = False
        original(*bound.args, **bound.kwargs)

    __init__.__signature__ = signature
    return __init__


def _install_cpu_distributed():
    distributed = sys.modules.get("torch.distributed")
    for owner in (distributed, sys.modules.get("torch.distributed.distributed_c10d")):
        for name in ("init_process_group", "new_group"):
            _replace(owner, name, _with_gloo)
    parallel = getattr(torch.nn, "parallel", None)
    _replace(getattr(parallel, "DistributedDataParallel", None), "__init__", _without_device_ids)


def _with_gloo(original):
    signature = inspect.signature(original)
    first = "backend" == next(iter(signature.parameters), None)

    def group(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        backend = bound.arguments.get("backend")
        if (first and backend is None) or "nccl" in str(backend).lower():
            bound.arguments["backend"] = "gloo"
        bound.arguments.pop("device_id", None)
        return original(*bound.args, **bound.kwargs)

    return group


def _without_device_ids(original):
    signature = inspect.signature(original)

    def __init__(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.arguments.pop("device_ids", None)
        bound.arguments.pop("output_device", None)
        original(*bound.args, **bound.kwargs)

    return __init__


# ---------------------------------------------------------------------------------------------------------------------
# Installing


def _adopt_torch():
    global torch
    torch = sys.modules.get("torch") or torch


def install(check=True, cpu=None, workers=None):
    """Puts the guard in front of PyTorch, now or as soon as it has been imported. Once is enough; again does nothing.

    `cpu` and `workers` default to what ASSERT_DOCTOR_CPU and ASSERT_DOCTOR_WORKERS say.
    """
    if _settings.installed:
        return
    _settings.installed = True
    _settings.check = check
    _settings.cpu = os.environ.get("ASSERT_DOCTOR_CPU") == "1" if cpu is None else bool(cpu)
    if workers is None:
        number = os.environ.get("ASSERT_DOCTOR_WORKERS", "")
        workers = int(number) if number.isdigit() else None
    _settings.workers = workers
    loaded = sys.modules.get("torch")
    if loaded is not None and not getattr(getattr(loaded, "__spec__", None), "_initializing", False):
        _attach()
    else:
        sys.meta_path.insert(0, finder)


def _attach():
    """PyTorch is complete: everything is put in its place. A fault leaves the rest of the work undone, and says so."""
    _adopt_torch()
    steps = [("cpu", _install_cpu)] if _settings.cpu else []
    steps += [("hooks", _install_hooks)] if _settings.check else []
    steps += [("loader", _install_loader)]
    for name, step in steps:
        try:
            step()
        except Exception as fault:
            _note("error", name, message="%s: %s" % (type(fault).__name__, fault))
    atexit.register(_end)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)
    # A child of multiprocessing may become a loader's worker, which stays quiet: it speaks when it has work to do.
    if not _is_child() and not _is_launcher():
        _start()


class _Finder(importlib.abc.MetaPathFinder):
    """Waits for `import torch`, and attaches the guard when that has ended."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        for other in list(sys.meta_path):
            find = getattr(other, "find_spec", None)
            spec = find(name, path, target) if find is not None and other is not self else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


class _Loader(importlib.abc.Loader):
    """The real loader; what it loads finds the real one in its place again."""

    def __init__(self, real):
        self._real = real

    def __getattr__(self, name):
        return getattr(self._real, name)

    def create_module(self, spec):
        return self._real.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._real
        self._real.exec_module(module)
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        try:
            _attach()
        except Exception as fault:
            _note("error", "install", message=str(fault))


finder = _Finder()


# ---------------------------------------------------------------------------------------------------------------------
# python -m assert_doctor_guard

_USAGE = "usage: python -m assert_doctor_guard [--cpu] [--workers N] (script.py | -m module) [arguments ...]"


def main(arguments):
    """Runs a script as `python script.py` would. Returns the exit code where the script does not end by itself."""
    cpu, workers = None, None
    while arguments and arguments[0] in ("--cpu", "--workers"):
        option = arguments.pop(0)
        if option == "--cpu":
            cpu = True
        elif arguments and arguments[0].isdigit():
            workers = int(arguments.pop(0))
        else:
            return _usage_error("--workers needs a number")
    if not arguments or (arguments[0] == "-m" and len(arguments) == 1):
        return _usage_error("which script?")
    if arguments[0].startswith("-") and arguments[0] != "-m":
        return _usage_error("unknown option " + arguments[0])
    install(cpu=cpu, workers=workers)
    _guard_children()
    try:
        if arguments[0] == "-m":
            _run_module(arguments[1:])
        else:
            _run_script(arguments)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        # The traceback begins in the script, as it would without the guard.
        traceback = error.__traceback__
        while traceback is not None and traceback.tb_frame.f_code.co_filename in (__file__, runpy.__file__, "<frozen runpy>"):
            traceback = traceback.tb_next
        error = error.with_traceback(traceback)
        sys.excepthook(type(error), error, traceback)
        return 1
    return 0


def _usage_error(reason):
    sys.stderr.write("assert_doctor_guard: %s\n%s\n" % (reason, _USAGE))
    return 2


def _guard_children():
    """Processes that the script starts (torchrun, mp.spawn) get the same guard, if sitecustomize.py is beside this file."""
    here = os.path.dirname(os.path.abspath(__file__))
    if os.path.exists(os.path.join(here, "sitecustomize.py")):
        paths = [here] + [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != here]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        os.environ["ASSERT_DOCTOR_GUARD"] = "1"
        if _settings.cpu:
            os.environ["ASSERT_DOCTOR_CPU"] = "1"
        if _settings.workers is not None:
            os.environ["ASSERT_DOCTOR_WORKERS"] = str(_settings.workers)


def _set_first_path(folder):
    if not getattr(sys.flags, "safe_path", False) and not sys.flags.isolated:
        sys.path[0] = folder


def _run_module(arguments):
    _set_first_path(os.getcwd())
    sys.argv = arguments
    sys.modules["__main__"] = types.ModuleType("__main__")
    # What `python -m` itself calls; pickling and multiprocessing then find the module's own __main__.
    runpy._run_module_as_main(arguments[0])


def _run_script(arguments):
    script = arguments[0]
    sys.argv = arguments
    if os.path.isdir(script) or script.endswith((".zip", ".pyz")):
        sys.path.pop(0)
        runpy.run_path(script, run_name="__main__")
        return
    try:
        with open(script, "rb") as file:
            source = file.read()
    except OSError as error:
        sys.stderr.write("assert_doctor_guard: cannot open %r: %s\n" % (script, error.strerror))
        raise SystemExit(2)
    _set_first_path(os.path.dirname(os.path.realpath(script)))
    module = types.ModuleType("__main__")
    module.__file__ = script
    module.__builtins__ = __builtins__
    module.__spec__ = None
    sys.modules["__main__"] = module
    exec(compile(source, script, "exec", dont_inherit=True), module.__dict__)


if __name__ == "__main__":
    # Under its own name, so that errors which cross processes can be found again; __main__ becomes the script's.
    sys.path.insert(1, os.path.dirname(os.path.abspath(__file__)))
    import assert_doctor_guard

    sys.path.pop(1)
    sys.exit(assert_doctor_guard.main(sys.argv[1:]))
