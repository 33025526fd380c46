"""Other versions of a model, made from its file, and another runtime."""

import logging

import ml_dtypes
import numpy as np
import onnx
import onnxruntime.quantization
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import matmul_nbits_quantizer

from stages import open_session

logging.getLogger(matmul_nbits_quantizer.__name__).setLevel(logging.WARNING)


def constants_as_weights(network):
    """Constants with a value become initializers, where quantizers look for weights."""
    graph = network.graph
    for node in [node for node in graph.node if node.op_type == "Constant" and node.attribute[0].name == "value"]:
        graph.initializer.append(TensorProto())
        graph.initializer[-1].CopyFrom(node.attribute[0].t)
        graph.initializer[-1].name = node.output[0]
        graph.node.remove(node)
    return network


def bfloat16_weights(path, out):
    """Matrices and vectors rounded to bfloat16, to nearest even, and computed with in float32. Stored in bfloat16 from opset 13 on, which has it."""
    network = constants_as_weights(onnx.load(str(path)))
    stored_so = next(each.version for each in network.opset_import if each.domain in ("", "ai.onnx")) >= 13
    graph, casts, changed = network.graph, [], []
    for tensor in list(graph.initializer):
        if tensor.data_type != TensorProto.FLOAT or not tensor.dims:
            continue
        rounded = numpy_helper.to_array(tensor).astype(ml_dtypes.bfloat16)
        if not stored_so:
            tensor.CopyFrom(numpy_helper.from_array(rounded.astype(np.float32), tensor.name))
            continue
        stored = helper.make_tensor(tensor.name + ".bfloat16", TensorProto.BFLOAT16, tensor.dims, rounded.tobytes(), raw=True)
        casts.append(helper.make_node("Cast", [stored.name], [tensor.name], to=TensorProto.FLOAT))
        changed.append(stored)
        graph.initializer.remove(tensor)
    graph.initializer.extend(changed)
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend(casts + nodes)
    onnx.save(network, str(out))


def int8_weights(path, out):
    """Products and convolutions with weights of 8 bits, a scale a column, and inputs that are quantized as they come."""
    network = constants_as_weights(onnx.load(str(path)))
    onnxruntime.quantization.quantize_dynamic(network, str(out), weight_type=onnxruntime.quantization.QuantType.QUInt8)
    kinds = {node.op_type for node in onnx.load(str(out)).graph.node}
    if not kinds & {"ConvInteger", "MatMulInteger", "DynamicQuantizeLSTM"}:
        raise ValueError("the quantizer changed no operator")


def block_weights(path, out, bits, block, words=False):
    """Matrices with weights of `bits` and a scale and an offset for each `block` of a column; inputs stay in float32. `words`: the table of words too."""
    kinds = ("MatMul", "Gather") if words else ("MatMul",)
    quantizer = matmul_nbits_quantizer.MatMulNBitsQuantizer(onnx.load(str(path)), bits=bits, block_size=block, is_symmetric=False, op_types_to_quantize=kinds)
    quantizer.process()
    network = quantizer.model.model
    if not any(node.op_type == "MatMulNBits" for node in network.graph.node):
        raise ValueError("the quantizer changed no operator")
    onnx.save(network, str(out))


class OpenVino:
    """A model in OpenVINO on one thread of the CPU, called as ONNX Runtime is. `precision`: what it computes in; None: what it chooses."""

    def __init__(self, path, precision):
        import openvino

        options = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1}
        if precision:
            options["INFERENCE_PRECISION_HINT"] = precision
        self.compiled = openvino.Core().compile_model(str(path), "CPU", options)
        self.chosen = self.compiled.get_property("INFERENCE_PRECISION_HINT").to_string()

    def run(self, names, feeds):
        results = self.compiled({name: np.asarray(value, order="C") for name, value in feeds.items()}, share_inputs=False)
        return [results[output].copy() for output in self.compiled.outputs]


def written(paths, folder, name, make):
    """Files by name, of which each that `make` can change is changed; an error if it changes none."""
    made, refused = {}, []
    for which, path in paths.items():
        made[which] = folder / f"{which}_{name}.onnx"
        try:
            make(path, made[which])
        except ValueError as error:
            refused.append(error)
            made[which] = path
    if len(refused) == len(paths):
        raise refused[0]
    return made


def opened(level):
    return lambda files: {which: open_session(path, level) for which, path in files.items()}


def in_openvino(precision):
    return lambda files: {which: OpenVino(path, precision) for which, path in files.items()}


class Version:
    """One way to run an application's models. `files` makes what is opened of the files that there are; `open` opens all. `same`: it computes
    the same, but for the order of sums."""

    def __init__(self, open, make=None, name=None):
        self.open, self.make, self.name, self.same = open, make, name, make is None

    def files(self, paths, folder):
        return paths if self.make is None else written(paths, folder, self.name, self.make)


VERSIONS = {
    "graph as written": Version(opened("none")),
    "graph optimized": Version(opened("all")),
    "OpenVINO in float32": Version(in_openvino("f32")),
    "OpenVINO as it comes": Version(in_openvino(None)),
    "bf16 weights": Version(opened("all"), bfloat16_weights, "bf16"),
    "int8 weights": Version(opened("all"), int8_weights, "int8"),
    "int4 weights": Version(opened("all"), lambda path, out: block_weights(path, out, 4, 32), "int4"),
}
VERSIONS["OpenVINO as it comes"].same = False  # it computes in bfloat16 where the processor does
