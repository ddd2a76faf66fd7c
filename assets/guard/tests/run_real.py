"""Runs the guard with a real PyTorch on the CPU: python run_real.py [number of random calls per operation]

Not part of the project's own checks, since it needs PyTorch. Ends with 1 where something is not as it must be.
"""

from torch.nn.functional import cross_entropy as imported_early  # noqa: E402  (before the guard, on purpose)

import contextlib
import copy
import io
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
GUARD = os.path.dirname(HERE)
sys.path.insert(0, GUARD)

import torch
import torch.fx
import torch.nn.functional as F
from torch import gather as gather_imported_early
from torch import nn
from torch.nn.functional import one_hot as one_hot_imported_early

import assert_doctor_guard as guard
from cases import BAD, ONLY_THE_GUARD

failures = []
Caught = guard.AssertDoctorGuardError


def check(name, good, detail=""):
    if not good:
        failures.append(name)
        print("FAILED  %s  %s" % (name, detail))


@contextlib.contextmanager
def quiet():
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        yield said


@contextlib.contextmanager
def without_guard():
    guard._local.busy = True
    try:
        yield
    finally:
        guard._local.busy = False


def lines(text, event=None):
    found = [json.loads(line[line.index("{") :]) for line in text.splitlines() if "[assert-doctor] {" in line]
    return [record for record in found if event is None or record["event"] == event]


def ended(text):
    return [record for record in lines(text, "summary") if record["final"]]


def outcome(call):
    try:
        call()
        return None
    except Exception as error:
        return error


# What the guard says, and what PyTorch says, of the same call with the same arguments.


def compare(name, call):
    with quiet() as said:
        guarded = outcome(call)
    with without_guard():
        plain = outcome(call)
    faults = [record for record in lines(said.getvalue(), "note") if record["id"] == "error"]
    check(name, not faults, faults)
    return isinstance(guarded, Caught), plain


def bad_cases():
    for op, kind, what, statement in BAD:
        if kind == "range" and what == "target" and op == "binary_cross_entropy" and guard._version() < (2, 1):
            continue
        seen, plain = compare(statement, lambda: exec(statement, {"torch": torch, "nn": nn, "F": F}))
        check(statement, seen, "not caught; PyTorch: %r" % plain)
        check(statement, plain is not None or op in ONLY_THE_GUARD, "PyTorch accepts it")


def size(most=4, least=0):
    return random.randint(least, most)


def index(shape, lo, hi, spread=1, dtype=torch.int64):
    """Mostly within lo..hi, sometimes `spread` outside."""
    if random.random() < 0.6 and hi >= lo:
        spread = 0
    return torch.randint(lo - spread, max(hi, lo - spread) + spread + 1, shape).to(dtype)


def random_cross_entropy(function=F.cross_entropy):
    n, c, extra = size(4, 1), size(5, 1), [size(3, 1) for _ in range(random.choice([0, 0, 1, 2, 3]))]
    batched = random.random() < 0.85 or extra
    input = torch.randn(*([n, c] if batched else [c]), *extra)
    shape = ([n] if batched else []) + extra
    if random.random() < 0.15 and shape:
        shape[random.randrange(len(shape))] += 1
    if random.random() < 0.05:
        shape = shape + [1]
    target = index(shape, 0, c - 1)
    if random.random() < 0.05:
        target = target.to(random.choice([torch.int32, torch.float32]))
    if random.random() < 0.05 and bool((target >= 0).all()):
        target = target.to(torch.uint8)
    more = {"reduction": random.choice(["mean", "sum", "none"])}
    if random.random() < 0.5:
        more["ignore_index"] = random.choice([-1, 0, 1, c, 255])
        if target.numel() and target.dtype == torch.int64:
            target.view(-1)[random.randrange(target.numel())] = more["ignore_index"]
    if random.random() < 0.3:
        more["weight"] = torch.rand(c)
    if function is F.cross_entropy and random.random() < 0.2:
        more["label_smoothing"] = 0.1
    if function is F.cross_entropy and random.random() < 0.15:
        target, more = torch.randn(input.shape) * 9, {"reduction": more["reduction"]}
        if random.random() < 0.3:
            target = target / 0
    return lambda: function(input, target, **more)


def random_nll_loss():
    return random_cross_entropy(F.nll_loss)


def random_embedding():
    v, d = size(5), size(3)
    indices = index([size(3) for _ in range(size(3))], 0, v - 1, dtype=random.choice([torch.int64, torch.int32]))
    weight, more = torch.randn(v, d), {}
    if random.random() < 0.3 and v:
        more["padding_idx"] = random.choice([0, v - 1])
    if random.random() < 0.2:
        more["max_norm"] = 1.0
    return lambda: F.embedding(indices, weight.clone(), **more)


def random_embedding_bag():
    v, d, n = size(5, 1), size(3, 1), size(5, 1)
    weight, more = torch.randn(v, d), {"mode": random.choice(["sum", "mean", "max"])}
    if random.random() < 0.5:
        indices = index([size(3, 1), n], 0, v - 1)
    else:
        indices = index([n], 0, v - 1)
        offsets = sorted(random.randint(0, n + (random.random() < 0.2)) for _ in range(size(3, 1)))
        if random.random() < 0.9:
            offsets[0] = 0
        more["offsets"] = torch.tensor(offsets)
        if random.random() < 0.3:
            more["offsets"] = torch.cat([more["offsets"], torch.tensor([n])])
            more["include_last_offset"] = True
    return lambda: F.embedding_bag(indices, weight, **more)


def shapes_for_index(input):
    dim = random.randrange(-max(input.dim(), 1), max(input.dim(), 1))
    shape = [random.randint(0 if random.random() < 0.1 else 1, s) if s else 0 for s in input.shape]
    if shape:
        shape[dim] = size(4)
    if shape and random.random() < 0.15:
        shape[random.randrange(len(shape))] += 1
    if random.random() < 0.05:
        shape = shape + [1]
    there = input.shape[dim] if input.dim() else 1
    return dim, index(shape, 0, there - 1), there


def some_tensor(dims=3, least=0):
    return torch.randn([size(4) if random.random() < 0.1 else size(4, 1) for _ in range(size(dims, least))])


def random_gather():
    input = some_tensor()
    dim, where, _ = shapes_for_index(input)
    return random.choice([lambda: torch.gather(input, dim, where), lambda: input.gather(dim=dim, index=where)])


def random_scatter(names=("scatter", "scatter_"), value=True):
    input = some_tensor()
    dim, where, _ = shapes_for_index(input)
    name = random.choice(names)
    if value and random.random() < 0.4:
        return lambda: getattr(input.clone(), name)(dim, where, 1.5)
    shape = [s + (random.random() < 0.2) - (random.random() < 0.1) for s in where.shape]
    src = torch.randn([max(s, 0) for s in shape])
    return lambda: getattr(input.clone(), name)(dim, where, src)


def random_scatter_add():
    return random_scatter(("scatter_add", "scatter_add_"), value=False)


def random_index_select():
    input = some_tensor()
    dim = random.randrange(-max(input.dim(), 1), max(input.dim(), 1))
    there = input.shape[dim] if input.dim() else 1
    where = index([size(4)] if random.random() < 0.9 else [], 0, there - 1, dtype=random.choice([torch.int64, torch.int32]))
    kind = random.random()
    if kind < 0.5:
        return random.choice([lambda: torch.index_select(input, dim, where), lambda: input.index_select(dim, where)])
    where = index([size(4, 1)], -there if kind < 0.7 else 0, there - 1)
    if kind < 0.7:
        return lambda: input.clone().index_fill_(dim, where, 2.0)
    shape = list(input.shape)
    if shape:
        shape[dim] = where.numel()
    source = torch.randn(shape)
    name = "index_add_" if kind < 0.85 else "index_copy_"
    return lambda: getattr(input.clone(), name)(dim, where, source)


def random_index():
    input = some_tensor(4, 1)
    parts, dim, together = [], 0, [size(3, 1) for _ in range(random.choice([0, 1, 1, 2]))]
    while dim < input.dim() and random.random() < 0.8:
        there = input.shape[dim]
        kind = random.choice(["tensor", "tensor", "list", "slice", "int", "none", "mask", "wide", "numpy", "ellipsis", "bool"])
        if kind == "tensor":
            parts.append(index(together, -there, there - 1, dtype=random.choice([torch.int64] * 4 + [torch.int32, torch.uint8])))
            if parts[-1].dtype == torch.uint8 and list(parts[-1].shape) != [there]:
                parts[-1] = parts[-1].to(torch.int64)
        elif kind in ("list", "numpy"):
            numbers = index([size(3, 1)], -there, there - 1)
            parts.append(numbers.tolist() if kind == "list" else numbers.numpy())
        elif kind == "slice":
            parts.append(slice(random.choice([None, 0, 1]), random.choice([None, 2, -1])))
        elif kind == "int" and there:
            parts.append(random.randrange(-there, there))
        elif kind == "none":
            parts.append(None)
            dim -= 1
        elif kind == "mask":
            parts.append(torch.rand(there + (random.random() < 0.2)) < random.choice([0.0, 0.5, 1.0]))
        elif kind == "wide" and dim + 2 <= input.dim():
            parts.append(torch.rand(input.shape[dim], input.shape[dim + 1]) < 0.5)
            dim += 1
        elif kind == "bool":
            parts.append(random.choice([True, torch.tensor(True), torch.tensor(False)]))
            dim -= 1
        elif kind == "ellipsis" and Ellipsis not in [part for part in parts if type(part) is type(Ellipsis)]:
            parts.append(Ellipsis)
            dim = max(dim, input.dim() - random.choice([0, 1])) - 1
        dim += 1
    key = parts[0] if len(parts) == 1 and random.random() < 0.7 else tuple(parts)
    if random.random() < 0.5:
        return lambda: input[key]

    def put():
        input.clone()[key] = 0.0

    return put


def random_one_hot():
    classes = random.choice([-1, size(5, 1)])
    labels = index([size(3) for _ in range(size(2))], 0, max(classes, 3) - 1)
    return lambda: F.one_hot(labels, classes)


def random_binary_cross_entropy():
    shape = [size(3) for _ in range(size(3))]
    input, target = torch.rand(shape), torch.rand(shape).round()
    for tensor in (input, target):
        if random.random() < 0.3 and tensor.numel():
            tensor.view(-1)[random.randrange(tensor.numel())] = random.choice([-0.1, 1.1, float("nan"), 1.0, 255.0, -0.0])
    reduction = random.choice(["mean", "none"])
    return lambda: F.binary_cross_entropy(input, target, reduction=reduction)


def random_multinomial():
    rows = torch.rand(*([size(3, 1)] if random.random() < 0.6 else []), size(4, 1), dtype=random.choice([torch.float32, torch.float64]))
    if random.random() < 0.5:
        rows.view(-1)[random.randrange(rows.numel())] = random.choice([-0.1, float("nan"), float("inf"), 0.0, -0.0])
    if random.random() < 0.2:
        (rows if rows.dim() == 1 else rows[random.randrange(len(rows))]).zero_()
    drawn, replacement = size(4, 1), random.random() < 0.5
    return random.choice([lambda: torch.multinomial(rows, drawn, replacement), lambda: rows.multinomial(drawn, replacement=replacement)])


def random_ctc_loss():
    n, steps, classes, longest = size(3, 1), size(6, 3), size(5, 2), size(3, 1)
    blank = random.choice([0, classes - 1])
    legal = [label for label in range(classes) if label != blank]
    lengths = [size(longest, 0) for _ in range(n)]
    if random.random() < 0.5:
        targets = torch.tensor([[random.choice(legal) if at < length else blank for at in range(longest)] for length in lengths])
    else:
        targets = torch.tensor([random.choice(legal) for _ in range(sum(lengths) + (random.random() < 0.2))], dtype=torch.int64)
    scores = torch.randn(steps, n, classes).log_softmax(2)
    as_tensors = random.random() < 0.5
    given = [steps] * n, lengths
    given = [torch.tensor(item) for item in given] if as_tensors else given
    return lambda: F.ctc_loss(scores, targets, *given, blank=blank)


def random_calls(number):
    for op in dict.fromkeys(case[0] for case in BAD):
        make = globals()["random_" + op]
        counts = {(a, b): 0 for a in (False, True) for b in (False, True)}
        missed = {}
        for seed in range(number):
            random.seed(seed)
            torch.manual_seed(seed)
            try:
                call = make()
            except Exception as error:
                raise RuntimeError("%s, seed %d: cannot make a call" % (op, seed)) from error
            seen, plain = compare("%s, seed %d" % (op, seed), call)
            counts[seen, plain is not None] += 1
            check("%s, seed %d: a false alarm" % (op, seed), not seen or plain is not None)
            if not seen and plain is not None:
                missed.setdefault(str(plain).split("\n")[0][:110], seed)
        print(
            "%-22s %4d calls: both accept %4d, both reject %4d, only PyTorch rejects %d, false alarms %d"
            % (op, number, counts[False, False], counts[True, True], counts[False, True], counts[True, False])
        )
        for message, seed in sorted(missed.items()):
            print("      left to PyTorch (seed %d): %s" % (seed, message))


def bad_call():
    return imported_early(torch.randn(2, 3), torch.tensor([0, 3]))


def caught(name, call):
    with quiet():
        error = outcome(call)
    check(name, isinstance(error, Caught), repr(error))


def passes(name, call):
    with quiet() as said:
        error = outcome(call)
    check(name, error is None, repr(error))
    faults = [record for record in lines(said.getvalue(), "note") if record["id"] == "error"]
    check(name + ": no fault of the guard", not faults, faults)
    return said.getvalue()


def ways_of_calling():
    caught("cross_entropy imported before the guard", bad_call)
    caught("one_hot imported before the guard", lambda: one_hot_imported_early(torch.tensor([4]), 2))
    caught("gather imported before the guard", lambda: gather_imported_early(torch.randn(2), 0, torch.tensor([2])))
    with torch.no_grad():
        caught("no_grad", bad_call)
    with torch.inference_mode():
        caught("inference_mode", bad_call)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        caught("autocast", lambda: F.cross_entropy(nn.Linear(4, 3)(torch.randn(2, 4)), torch.tensor([0, 3])))
        passes("autocast, good", lambda: F.cross_entropy(nn.Linear(4, 3)(torch.randn(2, 4)), torch.tensor([0, 2])).backward())
    weights = nn.Parameter(torch.rand(3))
    passes("a parameter that is drawn from", lambda: torch.multinomial(weights, 1))
    passes("backward", lambda: (nn.Embedding(4, 2)(torch.tensor([1, 3])).sum() + weights[torch.tensor([0, 1])].sum()).backward())
    check("backward", weights.grad.tolist() == [1.0, 1.0, 0.0])
    caught("exec, as a notebook does", lambda: exec("F.one_hot(torch.tensor([3]), 2)", {"F": F, "torch": torch}))

    class Sub(torch.Tensor):
        pass

    caught("a subclass of Tensor", lambda: torch.randn(3).as_subclass(Sub)[torch.tensor([3])])
    caught("a subclass of Tensor, by function", lambda: torch.gather(torch.randn(3).as_subclass(Sub), 0, torch.tensor([3])))
    passes("a subclass of Tensor, good", lambda: torch.gather(torch.randn(3).as_subclass(Sub), 0, torch.tensor([2])))
    passes("pickle of a function", lambda: pickle.loads(pickle.dumps((torch.gather, F.one_hot, torch.Tensor.gather))))
    passes("deepcopy of a module", lambda: copy.deepcopy(nn.Embedding(3, 2))(torch.tensor([1])))
    passes("meta tensors", lambda: F.embedding(torch.zeros(2, dtype=torch.int64, device="meta"), torch.zeros(3, 2, device="meta")))
    passes("sparse", lambda: torch.index_select(torch.eye(3).to_sparse(), 0, torch.tensor([1])))
    passes("quantized", lambda: torch.quantize_per_tensor(torch.randn(3, 2), 0.1, 0, torch.qint8)[torch.tensor([0, 2])])
    with quiet():
        restored = pickle.loads(pickle.dumps(outcome(bad_call)))
    check("the error can be pickled", type(restored) is Caught)


def scripts_and_traces():
    def loss(x, y):
        return F.cross_entropy(x, y) + torch.gather(x, 1, y.unsqueeze(1)).sum() + F.one_hot(y, 3).sum()

    x, y = torch.randn(2, 3), torch.tensor([0, 2])
    expected = loss(x, y)
    passes("jit.script", lambda: check("jit.script's value", torch.allclose(torch.jit.script(loss)(x, y), expected)))
    passes("jit.script of modules", lambda: torch.jit.script(nn.Sequential(nn.Embedding(4, 2)))(torch.tensor([1])))

    def traced():
        graph = torch.jit.trace(loss, (x, y), check_trace=False)
        check("jit.trace's value", torch.allclose(graph(x, y), expected))
        check("jit.trace: no checks in the graph", "aminmax" not in str(graph.graph), str(graph.graph))

    passes("jit.trace", traced)
    def by_fx():
        graph = torch.fx.symbolic_trace(loss)
        check("fx's value", torch.allclose(graph(x, y), expected))
        caught("fx, bad", lambda: graph(x, torch.tensor([0, 3])))

    passes("fx", by_fx)
    vmap = getattr(torch, "vmap", None) if guard._version() >= (2, 0) else __import__("functorch").vmap

    def mapped():
        table = torch.randn(4, 3)
        check("vmap's value", torch.equal(vmap(lambda i: table.index_select(0, i))(torch.tensor([[1], [3]]))[1, 0], table[3]))

    passes("vmap", mapped)
    try:
        from torch.utils._python_dispatch import TorchDispatchMode

        class Count(TorchDispatchMode):
            seen = ()

            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                self.seen += (str(func),)
                return func(*args, **(kwargs or {}))

        def counted():
            with Count() as mode:
                torch.gather(torch.randn(3), 0, torch.tensor([1]))
            check("a dispatch mode does not see the checks", not any("aminmax" in name for name in mode.seen), mode.seen)
            with Count():
                caught("within a dispatch mode", lambda: torch.gather(torch.randn(3), 0, torch.tensor([3])))

        passes("dispatch mode", counted)
    except ImportError:
        print("no dispatch modes here")
    if hasattr(torch, "set_default_device"):

        def by_device():
            with torch.device("meta"):
                check("a device context", torch.zeros(3).device.type == "meta")
            with torch.device("cpu"):
                caught("within a device context", bad_call)

        passes("device context", by_device)
    if guard._version() >= (2, 4):
        passes("a jagged nested tensor", lambda: torch.nested.nested_tensor([torch.randn(2), torch.randn(3)], layout=torch.jagged) + 1)


COMPILED = """
import torch, torch.nn as nn, torch.nn.functional as F
BEFORE
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(10, 8), nn.Linear(8, 3)
    def forward(self, ids, y):
        out = self.head(self.table(ids))
        picked = torch.gather(out, 1, y.unsqueeze(1)).sum() + out[torch.arange(2), y].sum() + out.gather(1, y.unsqueeze(1)).sum()
        return F.cross_entropy(out, y) + picked + F.one_hot(y, 3).sum()
torch.manual_seed(0)
net, ids, y = Net(), torch.tensor([1, 9]), torch.tensor([0, 2])
plain = net(ids, y)
import torch._dynamo as dynamo
for backend in BACKENDS:
    dynamo.reset()
    compiled = torch.compile(net, backend=backend, fullgraph=True)
    loss = compiled(ids, y)
    loss.backward()
    assert torch.allclose(loss, plain, atol=1e-5), (backend, loss, plain)
print("compiled well")
"""


def run(code, *more, environment=None, cwd=None, command=None):
    variables = dict(os.environ, PYTHONPATH=GUARD, ASSERT_DOCTOR_GUARD="1")
    variables.update(environment or {})
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "train.py")
        with open(script, "w") as file:
            file.write(textwrap.dedent(code))
        return subprocess.run(
            (command or [sys.executable, "-W", "ignore"]) + [script, *more],
            env=variables, cwd=cwd or folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=600,
        )  # fmt: skip


def in_processes():
    if guard._version() >= (2, 0):
        # 2.0 compiles on Python 3.8 to 3.10 only.
        backends = ["eager", "aot_eager", "inductor"] if guard._version() >= (2, 1) or sys.version_info < (3, 11) else []
        for name, before in (("injected", ""), ("two lines", "import assert_doctor_guard as g; g.install()")):
            if not backends:
                print("torch.compile does not exist for this Python")
                break
            code = COMPILED.replace("BEFORE", before).replace("BACKENDS", repr(backends))
            done = run(code, environment={} if not before else {"ASSERT_DOCTOR_GUARD": ""})
            check("compile, " + name, done.returncode == 0 and "compiled well" in done.stdout, done.stderr[-3000:])
            said = lines(done.stderr, "note")
            check("compile, %s: said once" % name, [record["id"] for record in said] == ["compiled"], said)

    loaders = """
    import sys, torch
    from torch.utils.data import DataLoader, Dataset
    class Words(Dataset):
        def __init__(self, bad): self.bad = bad
        def __len__(self): return 8
        def __getitem__(self, i):
            return torch.nn.functional.one_hot(torch.tensor(i if self.bad else 1), 4), i
    if __name__ == "__main__":
        for bad in (False, True):
            for _ in DataLoader(Words(bad), batch_size=2, num_workers=2, multiprocessing_context=sys.argv[1]): pass
    """
    for context in ("fork", "spawn", "forkserver"):
        done = run(loaders, context)
        check("DataLoader, " + context, done.returncode == 1 and "AssertDoctorGuardError: Caught" in done.stderr, done.stderr[-3000:])
        starts, summaries = lines(done.stderr, "start"), ended(done.stderr)
        check("DataLoader, %s: one start" % context, len(starts) == 1, starts)
        check("DataLoader, %s: its own process only" % context, len(summaries) == 1 and summaries[0]["batches"] >= 4, summaries)
        own = [record["function"] for record in lines(done.stderr, "violation")]
        check("DataLoader, %s: the user's frame" % context, set(own) == {"__getitem__"}, own)
    done = run(loaders, "fork", environment={"ASSERT_DOCTOR_WORKERS": "0"})
    check("DataLoader with --workers 0 and a context", "workers" in done.stderr and "pid" in done.stderr, done.stderr[-2000:])

    parallel = """
    import os, sys, torch, torch.distributed as dist, torch.multiprocessing as mp, torch.nn as nn
    def train(rank, bad):
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29517")
        dist.init_process_group("gloo", rank=rank, world_size=2)
        net = nn.parallel.DistributedDataParallel(nn.Linear(4, 3))
        for step in range(2):
            y = torch.tensor([0, 3 if bad and rank == 1 and step == 1 else 2])
            nn.CrossEntropyLoss()(net(torch.randn(2, 4)), y).backward()
        dist.destroy_process_group()
    if __name__ == "__main__":
        mp.spawn(train, args=(sys.argv[1] == "bad",), nprocs=2)
    """
    done = run(parallel, "good")
    check("DDP", done.returncode == 0, done.stderr[-3000:])
    check("DDP: every rank ends with a summary", len(ended(done.stderr)) == 3, done.stderr[-3000:])
    done = run(parallel, "bad")
    said = lines(done.stderr, "violation")
    check("DDP: the rank is in the line", [(r["rank"], r["function"]) for r in said] == [(1, "train")], done.stderr[-3000:])

    shim = """
    import torch, torch.nn as nn, torch.distributed as dist, os
    assert torch.cuda.is_available()
    torch.cuda.set_device(0); torch.cuda.manual_seed_all(1); torch.backends.cudnn.benchmark = True
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29518")
    dist.init_process_group("nccl", rank=0, world_size=1)
    device = torch.device("cuda:0")
    net = nn.Sequential(nn.Embedding(10, 8), nn.Linear(8, 3)).cuda()
    net = nn.parallel.DistributedDataParallel(net.to(device), device_ids=[0], output_device=0)
    scaler = torch.cuda.amp.GradScaler()
    optimizer = torch.optim.AdamW(net.parameters())
    data = torch.utils.data.TensorDataset(torch.randint(0, 10, (8,)), torch.randint(0, 3, (8,)))
    began, ended = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    began.record()
    for ids, y in torch.utils.data.DataLoader(data, batch_size=4, pin_memory=True, num_workers=2, prefetch_factor=4, persistent_workers=True):
        ids, y = ids.cuda(non_blocking=True), y.to("cuda", non_blocking=True)
        with torch.cuda.amp.autocast(dtype=torch.float16):
            loss = nn.CrossEntropyLoss(weight=torch.ones(3, device="cuda")).cuda()(net(ids), y) + torch.zeros(1, device=device) + torch.cuda.FloatTensor([0])
        scaler.scale(loss.sum()).backward(); scaler.step(optimizer); scaler.update(); optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cuda"): pass
    ended.record(); torch.cuda.synchronize(); began.elapsed_time(ended)
    print(torch.cuda.max_memory_allocated() / 2**20, torch.cuda.get_device_name(0), torch.cuda.get_device_properties(0).total_memory)
    torch.save(net.state_dict(), "net.pt"); net.load_state_dict(torch.load("net.pt", map_location="cuda:0"))
    torch.randn(2, generator=torch.Generator(device="cuda").manual_seed(1), device="cuda")
    assert isinstance(torch.Generator(), torch.Generator)
    with torch.cuda.device(0), torch.cuda.stream(torch.cuda.Stream()): torch.ones(3).to(0).pin_memory().type("torch.cuda.HalfTensor")
    nn.DataParallel(nn.Linear(2, 2)).cuda()(torch.randn(2, 2).cuda())
    torch.empty(3, pin_memory=True); torch.ones(2).new_zeros(3, device="cuda")
    if hasattr(torch, "set_default_device"):
        with torch.device("cuda"): assert torch.zeros(2).device.type == "cpu"
        with torch.device("meta"): assert torch.zeros(2).device.type == "meta"
        torch.set_default_device("cuda"); torch.zeros(2)
    print("ran on the CPU")
    """
    done = run(shim, environment={"ASSERT_DOCTOR_CPU": "1", "ASSERT_DOCTOR_WORKERS": "0"})
    check("--cpu", done.returncode == 0 and "ran on the CPU" in done.stdout, done.stderr[-3000:])
    notes = sorted(record["id"] for record in lines(done.stderr, "note"))
    check("--cpu: says so once", notes == ["cpu-redirect", "workers"], notes)
    start = lines(done.stderr, "start")[0]
    check("--cpu: in the start line", start["cpu"] is True and start["workers"] == 0, start)

    module = [sys.executable, "-m", "assert_doctor_guard", "--workers", "0"]
    hello = "import sys, torch\nprint(sys.argv[1:], __name__, __file__ == sys.argv[0])\ntorch.ones(2)[torch.tensor([2])]\n"
    done = run(hello, "a b", "c", command=module, environment={"ASSERT_DOCTOR_GUARD": ""})
    check("python -m", done.returncode == 1 and "['a b', 'c'] __main__ True" in done.stdout, done.stderr)
    done = run(parallel, "bad", command=module, environment={"ASSERT_DOCTOR_GUARD": ""})
    check("python -m: children too", len(lines(done.stderr, "violation")) == 1, done.stderr[-3000:])


def main():
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print("PyTorch %s, Python %s" % (torch.__version__, sys.version.split()[0]))
    with quiet():
        guard.install()
    bad_cases()
    random_calls(number)
    ways_of_calling()
    scripts_and_traces()
    in_processes()
    guard._state.ended = True
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
