"""Transformers as graphs of ONNX, written node by node from the weights of a package that brings no graph."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 18


class Graph:
    """Nodes in the order of their making. A name stands for a tensor."""

    def __init__(self, name):
        self.name, self.nodes, self.weights, self.inputs, self.outputs = name, [], {}, [], []

    def input(self, name, shape, kind=TensorProto.FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, tensor, name, shape):
        self.nodes.append(helper.make_node("Identity", [tensor], [name]))
        self.outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))

    def weight(self, name, array):
        """An array that the file has. The same name twice is the same array."""
        if name not in self.weights:
            self.weights[name] = numpy_helper.from_array(np.asarray(array, order="C"), name)
        return name

    def numbers(self, *values, kind=np.int64):
        return self.weight(f"{np.dtype(kind).name}_{'_'.join(map(str, values))}", np.array(values, kind))

    def number(self, value):
        return self.weight(f"float_{value}", np.array(value, np.float32))

    def __call__(self, kind, *inputs, **attributes):
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def linear(self, tensor, name, weight, bias=None):
        """tensor · weightᵀ + bias, of a weight [out, in]."""
        product = self("MatMul", tensor, self.weight(name, np.asarray(weight).T))
        return product if bias is None else self("Add", product, self.weight(name + ".bias", bias))

    def layer_norm(self, tensor, name, scale, shift, epsilon):
        return self("LayerNormalization", tensor, self.weight(name, scale), self.weight(name + ".shift", shift), axis=-1, epsilon=epsilon)

    def root_mean_square_norm(self, tensor, name, scale, epsilon):
        mean = self("ReduceMean", self("Mul", tensor, tensor), self.numbers(-1), keepdims=1)
        root = self("Sqrt", self("Add", mean, self.number(epsilon)))
        return self("Mul", self("Div", tensor, root), self.weight(name, scale))

    def gelu(self, tensor):
        """By the error function, not by its approximation."""
        error = self("Erf", self("Mul", tensor, self.number(float(np.sqrt(0.5)))))
        return self("Mul", self("Mul", tensor, self.number(0.5)), self("Add", error, self.number(1.0)))

    def heads(self, tensor, count, size):
        """[batch, time, count · size] as [batch, count, time, size]."""
        return self("Transpose", self("Reshape", tensor, self.numbers(0, 0, count, size)), perm=[0, 2, 1, 3])

    def attention(self, queries, keys, values, size, mask=None):
        """softmax(QKᵀ/√size + mask) V of heads, as [batch, time, count · size]."""
        scaled = self("Mul", queries, self.number(float(size) ** -0.5))
        scores = self("MatMul", scaled, self("Transpose", keys, perm=[0, 1, 3, 2]))
        if mask is not None:
            scores = self("Add", scores, mask)
        mixed = self("MatMul", self("Softmax", scores, axis=-1), values)
        return self("Reshape", self("Transpose", mixed, perm=[0, 2, 1, 3]), self.numbers(0, 0, -1))

    def causal_mask(self, time, past):
        """[1, 1, time, past + time] of 0 and −10⁹: a query at `past + i` sees keys up to itself."""
        one = self.weight("one", np.array(1, np.int64))
        zero = self.weight("zero", np.array(0, np.int64))
        keys = self("Range", zero, self("Add", past, time), one)
        queries = self("Add", self("Range", zero, time, one), past)
        later = self("Greater", self("Unsqueeze", keys, self.numbers(0)), self("Unsqueeze", queries, self.numbers(1)))
        mask = self("Mul", self("Cast", later, to=TensorProto.FLOAT), self.number(-1e9))
        return self("Unsqueeze", mask, self.numbers(0, 1))

    def extent(self, tensor, axis):
        return self("Gather", self("Shape", tensor), self.weight(f"axis_{axis}", np.array(axis, np.int64)))

    def slice_of(self, stacked, index):
        return self("Gather", stacked, self.weight(f"axis_{index}", np.array(index, np.int64)), axis=0)

    def stack(self, tensors):
        return self("Concat", *[self("Unsqueeze", each, self.numbers(0)) for each in tensors], axis=0)

    def save(self, path):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, list(self.weights.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="model_pipelines")
        onnx.save(model, str(path))
        return path
