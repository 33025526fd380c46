"""An application as named stages, recorded for `assay pipeline run`."""

import importlib.util
import json
import shutil
import time
from pathlib import Path

import numpy as np
import onnxruntime


def package_file(package, *parts):
    """A file that a Python package brings. The package itself, which may want frameworks, is not imported."""
    found = importlib.util.find_spec(package)
    if found is None:
        raise ModuleNotFoundError(f"no package {package}", name=package)
    return Path(found.submodule_search_locations[0]).joinpath(*parts)


def open_session(path, level):
    """A model in ONNX Runtime on one thread of the CPU, its graph optimized ("all") or as written ("none")."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if level == "all" else levels.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def takes(*names):
    """Of a stage that is given outputs of the stages named, instead of that of the stage before."""

    def marked(stage):
        stage.takes = names
        return stage

    return marked


class Pipeline:
    """Stages in their order: a name and a function of what the stage before gave. The first takes the input itself."""

    def __init__(self, stages, bounds):
        self.stages = dict(stages)
        self.bounds = bounds  # by stage: what a right implementation may differ by, with where that comes from

    def with_stages(self, **other):
        """The same application with some stages of another implementation."""
        unknown = set(other) - set(self.stages)
        if unknown:
            raise ValueError(f"{sorted(unknown)} is no stage; the stages are {list(self.stages)}")
        return Pipeline({**self.stages, **other}, self.bounds)

    def arguments(self, name, given, outputs):
        names = getattr(self.stages[name], "takes", ())
        if names:
            return [outputs[each] for each in names]
        before = list(self.stages)[: list(self.stages).index(name)]
        return [outputs[before[-1]] if before else given]

    def free(self, given, like=None, outputs_like=None):
        """Each stage on what this implementation's stages before gave. Returns the outputs and seconds by stage. Up to the first stage
        that is not the very one of `like`, what that gave is taken and nothing is computed twice."""
        outputs, seconds, same = {}, {}, like is not None
        for name, stage in self.stages.items():
            same = same and stage is like.stages[name]
            start = time.perf_counter()
            outputs[name] = outputs_like[name] if same else stage(*self.arguments(name, given, outputs))
            seconds[name] = time.perf_counter() - start
        return outputs, seconds

    def fed(self, given, reference, like=None):
        """Each stage on what the reference's stages before gave. A stage that is the very one of `like`, the reference, gave that already."""
        outputs = {}
        for name, stage in self.stages.items():
            same = like is not None and stage is like.stages[name]
            outputs[name] = reference[name] if same else stage(*self.arguments(name, given, reference))
        return outputs


def record(outputs, folder):
    """Writes a file a stage: arrays as npy, lists of ids, texts or boxes as JSON."""
    folder = Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for position, (name, output) in enumerate(outputs.items()):
        path = folder / f"{position:02}_{name}"
        if isinstance(output, np.ndarray):
            np.save(f"{path}.npy", np.ascontiguousarray(output))
        else:
            Path(f"{path}.json").write_text(json.dumps(output))


def write_bounds(pipeline, path):
    """The bounds as `--bounds` reads them."""
    names = {name: f"{position:02}_{name}" for position, name in enumerate(pipeline.stages)}
    Path(path).write_text(json.dumps({names[name]: bound for name, bound in pipeline.bounds.items()}))
