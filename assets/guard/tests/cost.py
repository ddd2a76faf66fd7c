"""What the guard costs on this machine's CPU: python cost.py. Prints two tables.

Processor time of one thread. Rounds with and without the guard's hooks alternate within one process, and the median of the
better half counts, so that what else the machine does disturbs little.
"""

import os
import statistics
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import assert_doctor_guard as guard

ROUNDS = 31


def hooks():
    """(owner, name, original, hooked) of everything that the guard has replaced."""
    for _, _, places, _ in guard._HOOKS:
        for where, names in places:
            owner = guard._resolve(where)
            for name in names.split():
                hooked = getattr(owner, name, None)
                if hasattr(hooked, "__assert_doctor_original__"):
                    yield owner, name, hooked.__assert_doctor_original__, hooked


def both(call, number):
    """Microseconds of one call, without and with the guard: the medians of the better half of the rounds."""
    times = [], []
    for at in range(2 * ROUNDS):
        for owner, name, original, hooked in REPLACED:
            setattr(owner, name, hooked if at % 2 else original)
        call()
        began = time.process_time()
        for _ in range(number):
            call()
        times[at % 2].append((time.process_time() - began) / number * 1e6)
    return [statistics.median(sorted(found)[: ROUNDS // 2]) for found in times]


def measure():
    n, k = 256, 10
    scores, labels, chosen = torch.randn(n, k), torch.randint(0, k, (n,)), torch.randint(0, k, (n, 1))
    images, masks = torch.randn(2, 21, 128, 128), torch.randint(0, 21, (2, 128, 128))
    table, words = torch.randn(5000, 64), torch.randint(0, 5000, (32, 64))
    flat, bags = words.reshape(-1), torch.arange(0, 2048, 64)
    some, rows, kept = torch.arange(64), torch.rand(n), torch.rand(n) < 0.5
    log_probs, texts = torch.randn(50, 16, 30).log_softmax(2), torch.randint(1, 30, (16, 20))
    lengths, text_lengths = torch.full((16,), 50), torch.full((16,), 20)
    chance, truth = torch.rand(n, k), torch.rand(n, k).round()
    with torch.no_grad():
        calls = {
            "cross_entropy, 256 x 10": both(lambda: F.cross_entropy(scores, labels), 500),
            "cross_entropy, 2 x 21 x 128 x 128": both(lambda: F.cross_entropy(images, masks), 10),
            "embedding, 32 x 64 ids": both(lambda: F.embedding(words, table), 300),
            "embedding_bag, 32 bags of 64": both(lambda: F.embedding_bag(flat, table, bags), 300),
            "gather, 256 of 256 x 10": both(lambda: scores.gather(1, chosen), 1000),
            "scatter_add_, 256": both(lambda: scores.scatter_add_(1, chosen, rows.unsqueeze(1)), 1000),
            "index_select, 64 rows": both(lambda: scores.index_select(0, some), 1000),
            "x[ids], 64 rows": both(lambda: scores[some], 1000),
            "x[mask], 256": both(lambda: scores[kept], 1000),
            "x[0]": both(lambda: scores[0], 3000),
            "one_hot, 256": both(lambda: F.one_hot(labels, k), 500),
            "binary_cross_entropy, 256 x 10": both(lambda: F.binary_cross_entropy(chance, truth), 500),
            "multinomial, 256 x 10": both(lambda: torch.multinomial(chance, 1), 300),
            "ctc_loss, 16 texts of 20": both(lambda: F.ctc_loss(log_probs, texts, lengths, text_lengths), 50),
        }

    def trained(net, inputs, targets):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

        def step():
            optimizer.zero_grad()
            F.cross_entropy(net(inputs), targets).backward()
            optimizer.step()

        return step

    mlp = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, k))

    class Words(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(5000, 64)
            self.layers = nn.Sequential(nn.Conv1d(64, 64, 3), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(64, k))

        def forward(self, ids):
            return self.layers(self.table(ids).transpose(1, 2))

    loops = {
        "step of a small MLP (batch 256)": both(trained(mlp, torch.randn(n, 32), labels), 40),
        "step of embedding + convolution (32 x 64 ids)": both(trained(Words(), words, labels[:32]), 10),
    }
    return calls, loops


def main():
    global REPLACED
    torch.set_num_threads(1)
    torch.manual_seed(0)
    errors, sys.stderr = sys.stderr, open(os.devnull, "w")
    guard.install()
    REPLACED = list(hooks())
    calls, loops = measure()
    sys.stderr = errors
    print("PyTorch %s, one thread\n" % torch.__version__)
    print("| calls | without, us | with the guard, us | more, us |\n| --- | ---: | ---: | ---: |")
    for name, (plain, guarded) in calls.items():
        print("| %s | %.1f | %.1f | %.1f |" % (name, plain, guarded, guarded - plain))
    print("\n| loops | without, ms | with the guard, ms | more |\n| --- | ---: | ---: | ---: |")
    for name, (plain, guarded) in loops.items():
        print("| %s | %.3f | %.3f | %.1f %% |" % (name, plain / 1000, guarded / 1000, 100 * (guarded / plain - 1)))


if __name__ == "__main__":
    main()
