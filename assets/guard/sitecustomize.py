"""Brings the guard into a Python process: Python imports this file when its folder is on PYTHONPATH.

It only waits for `import torch`, and gives way to the sitecustomize that it hides. Written so that any Python can read
it, since children of the training may be of another version.
"""

import os
import sys


def _load_guard():
    """The guard beside this file, under its own name wherever sys.path leads by then."""
    import importlib.util

    name = "assert_doctor_guard"
    if name not in sys.modules:
        place = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
        spec = importlib.util.spec_from_file_location(name, place)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


class _WhenTorchComes(object):
    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        try:
            guard = _load_guard()
            guard.install(check=os.environ.get("ASSERT_DOCTOR_GUARD") == "1")
            return guard.finder.find_spec(name, path, target)
        except Exception as fault:
            sys.stderr.write("[assert-doctor] the guard could not be loaded: %s\n" % fault)
            return None


def _wanted():
    asked = [os.environ.get("ASSERT_DOCTOR_" + name) for name in ("GUARD", "CPU")]
    return "1" in asked or bool(os.environ.get("ASSERT_DOCTOR_WORKERS"))


def _hidden_one():
    """The sitecustomize that Python would have imported without this one."""
    from importlib.machinery import PathFinder

    here = os.path.normcase(os.path.dirname(os.path.abspath(__file__)))
    others = [path for path in sys.path if os.path.normcase(os.path.abspath(path or os.getcwd())) != here]
    return PathFinder.find_spec("sitecustomize", others)


if sys.version_info >= (3, 7):
    if _wanted():
        sys.meta_path.insert(0, _WhenTorchComes())
    _spec = _hidden_one()
    if _spec is not None and _spec.loader is not None:
        from importlib.util import module_from_spec

        # In its own name; an error in it is reported by Python as always.
        _module = module_from_spec(_spec)
        sys.modules["sitecustomize"] = _module
        _spec.loader.exec_module(_module)
