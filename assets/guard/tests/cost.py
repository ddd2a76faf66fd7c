"""What the guard costs on this machine's CPU: python cost.py [runs]. Prints two tables.

Each figure is a median over `runs` processes, with and without the guard in turn; within a process the best of several
rounds counts, so that what else the machine does disturbs little.
"""

import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def best(call, number, rounds=15):
    """Microseconds of processor time of one call."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(number):
            call()
        times.append((time.process_time() - began) / number * 1e6)
    return min(times)


def measure():
    import torch
    import torch.nn.functional as F
    from torch import nn

    torch.set_num_threads(1)
    torch.manual_seed(0)
    if sys.argv[2] == "guarded":
        sys.path.insert(0, os.path.join(HERE, ".."))
        import assert_doctor_guard

        sys.stderr = open(os.devnull, "w")
        assert_doctor_guard.install()
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
            "cross_entropy, 256 x 10": best(lambda: F.cross_entropy(scores, labels), 500),
            "cross_entropy, 2 x 21 x 128 x 128": best(lambda: F.cross_entropy(images, masks), 10),
            "embedding, 32 x 64 ids": best(lambda: F.embedding(words, table), 300),
            "embedding_bag, 32 bags of 64": best(lambda: F.embedding_bag(flat, table, bags), 300),
            "gather, 256 of 256 x 10": best(lambda: scores.gather(1, chosen), 1000),
            "scatter_add_, 256": best(lambda: scores.scatter_add_(1, chosen, rows.unsqueeze(1)), 1000),
            "index_select, 64 rows": best(lambda: scores.index_select(0, some), 1000),
            "x[ids], 64 rows": best(lambda: scores[some], 1000),
            "x[mask], 256": best(lambda: scores[kept], 1000),
            "x[0]": best(lambda: scores[0], 3000),
            "one_hot, 256": best(lambda: F.one_hot(labels, k), 500),
            "binary_cross_entropy, 256 x 10": best(lambda: F.binary_cross_entropy(chance, truth), 500),
            "multinomial, 256 x 10": best(lambda: torch.multinomial(chance, 1), 300),
            "ctc_loss, 16 texts of 20": best(lambda: F.ctc_loss(log_probs, texts, lengths, text_lengths), 50),
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
        "step of a small MLP (batch 256)": best(trained(mlp, torch.randn(n, 32), labels), 100),
        "step of embedding + convolution (32 x 64 ids)": best(trained(Words(), words, labels[:32]), 10),
    }
    print(json.dumps({"version": torch.__version__, "calls": calls, "loops": loops}))


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    found = {"plain": [], "guarded": []}
    for _ in range(runs):
        for kind in found:
            command = [sys.executable, "-W", "ignore", os.path.abspath(__file__), "measure", kind]
            found[kind].append(json.loads(subprocess.check_output(command, universal_newlines=True)))
    print("PyTorch %s, one thread, %d runs\n" % (found["plain"][0]["version"], runs))
    for group, unit, scale in (("calls", "us", 1), ("loops", "ms", 1000)):
        print("| %s | without, %s | with the guard, %s | more |\n| --- | ---: | ---: | ---: |" % (group, unit, unit))
        for name in found["plain"][0][group]:
            plain, guarded = (statistics.median(run[group][name] for run in found[kind]) / scale for kind in found)
            more = "%.1f %s" % (guarded - plain, unit) if group == "calls" else "%.1f %%" % (100 * (guarded / plain - 1))
            print("| %s | %.*f | %.*f | %s |" % (name, scale // 500 + 1, plain, scale // 500 + 1, guarded, more))
        print()


if __name__ == "__main__":
    measure() if sys.argv[1:2] == ["measure"] else main()
