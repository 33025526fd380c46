"""Other versions of a model, made from its file."""

import onnx
import onnxruntime.quantization
from onnx import numpy_helper

import numpy as np


def bfloat16_weights(path, out):
    """Weights rounded to bfloat16, to nearest even, and computed with in float32."""
    network = onnx.load(str(path))
    tensors = list(network.graph.initializer)
    tensors += [attribute.t for node in network.graph.node if node.op_type == "Constant" for attribute in node.attribute if attribute.name == "value"]
    for tensor in tensors:
        if tensor.data_type != onnx.TensorProto.FLOAT:
            continue
        bits = numpy_helper.to_array(tensor).astype(np.float32).view(np.uint32)
        rounded = ((bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)).view(np.float32)
        tensor.CopyFrom(numpy_helper.from_array(rounded, tensor.name))
    onnx.save(network, str(out))


def int8_weights(path, out):
    """Products and convolutions with weights of 8 bits and inputs that are quantized as they come."""
    network = onnx.load(str(path))
    graph = network.graph
    for node in [node for node in graph.node if node.op_type == "Constant" and node.attribute[0].name == "value"]:
        graph.initializer.append(onnx.TensorProto())  # where the quantizer looks for weights
        graph.initializer[-1].CopyFrom(node.attribute[0].t)
        graph.initializer[-1].name = node.output[0]
        graph.node.remove(node)
    onnxruntime.quantization.quantize_dynamic(network, str(out), weight_type=onnxruntime.quantization.QuantType.QUInt8)
    kinds = {node.op_type for node in onnx.load(str(out)).graph.node}
    if not kinds & {"ConvInteger", "MatMulInteger", "DynamicQuantizeLSTM"}:
        raise ValueError("the quantizer changed no operator")
