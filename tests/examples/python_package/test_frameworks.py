"""Tensors of PyTorch, JAX and TensorFlow, in place; what cannot be read is refused. Each part is skipped where its framework is not installed."""

import numpy
import pytest

import assay
from assay import _tensors


class TestTorch:
    @pytest.fixture(autouse=True)
    def torch(self):
        self.torch = pytest.importorskip("torch")
        self.torch.manual_seed(0)

    def refused(self, tensor, says):
        with pytest.raises(assay.Refused, match=says):
            assay.check("relu", self.torch.zeros(8), [tensor])

    @pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
    def test_softmax(self, dtype):
        x = self.torch.randn(16, 100, dtype=self.torch.float64).to(getattr(self.torch, dtype))
        y = self.torch.softmax(x.double(), 1).to(x.dtype)
        assert assay.check("softmax", y, [x], dim=1)
        y[3, 7] *= 1.05
        assert assay.check("softmax", y, [x], dim=1).violations == 1

    def test_in_place_with_strides(self):
        x = self.torch.randn(8, 6).T
        seen = _tensors.view(x, "x")
        assert seen.data == x.data_ptr() and seen.strides == (1, 6)
        assert assay.check("softmax", self.torch.softmax(x, 1), [x], dim=1)
        assert assay.check("relu", x[:, 1:].relu(), [x[:, 1:]])

    def test_gradients_do_not_matter(self):
        x = self.torch.randn(4, 9, requires_grad=True)
        y = self.torch.softmax(x, -1)
        assert y.requires_grad and assay.check("softmax", y, [x])

    def test_attention_and_convolution(self):
        f = self.torch.nn.functional
        q, k, v = (self.torch.randn(2, 3, 10, 8) for _ in range(3))
        assert assay.check("scaled_dot_product_attention", f.scaled_dot_product_attention(q, k, v), [q, k, v])
        assert assay.check("scaled_dot_product_attention", f.scaled_dot_product_attention(q, k, v, is_causal=True), [q, k, v], is_causal=True)
        assert not assay.check("scaled_dot_product_attention", f.scaled_dot_product_attention(q, k, v, scale=0.3), [q, k, v])
        x, w, b = self.torch.randn(2, 4, 9, 7), self.torch.randn(6, 2, 3, 3), self.torch.randn(6)
        y = f.conv2d(x, w, b, stride=(2, 1), padding=1, groups=2)
        assert assay.check("conv2d", y, [x, w, b], stride=(2, 1), padding=1, groups=2)
        assert assay.check("conv2d", y.contiguous(memory_format=self.torch.channels_last), [x, w, b], stride=(2, 1), padding=1, groups=2)

    def test_refusals(self):
        torch = self.torch
        self.refused(torch.zeros(8).to_sparse(), r"input\[0\] is sparse .*to_dense")
        self.refused(torch.zeros(8, device="meta"), "is on meta")
        self.refused(torch.zeros(8, dtype=torch.complex64), "complex64")
        with pytest.warns(UserWarning) if False else numpy.errstate():
            quantized = torch.quantize_per_tensor(torch.zeros(8), 0.1, 0, torch.qint8)
        self.refused(quantized, "is quantized .*int_repr")
        self.refused(torch.zeros(8).to_mkldnn() if torch.backends.mkldnn.is_available() else torch.zeros(8).to_sparse(), "sparse|mkldnn")

    def test_validate(self):
        torch = self.torch
        report = assay.validate("softmax", torch.softmax and (lambda x, dim: torch.softmax(x, dim)), framework="torch", formats="f32", only="*/4x*")
        assert report and not report.failures, report
        if not torch.cuda.is_available():
            with pytest.raises(assay.Refused, match="torch on 'cuda' cannot be had"):
                assay.validate("exp", torch.exp, framework="torch", device="cuda")


class TestJax:
    @pytest.fixture(autouse=True)
    def jax(self):
        self.jax = pytest.importorskip("jax")

    def test_softmax(self):
        x = self.jax.numpy.asarray(numpy.random.default_rng(0).standard_normal((16, 100)), "float32")
        y = self.jax.nn.softmax(x, axis=1)
        assert assay.check("softmax", y, [x], axis=1)
        assert not assay.check("softmax", y.at[0, 0].multiply(1.01), [x], axis=1)
        low = x.astype("bfloat16")
        assert _tensors.view(low, "x").format == "bf16"
        assert assay.check("cast", low, [x])

    def test_tracers_and_deleted_arrays_are_refused(self):
        with pytest.raises(assay.Refused, match="no values"):
            self.jax.jit(lambda x: assay.check("relu", x, [x]))(self.jax.numpy.zeros(4))
        x = self.jax.numpy.zeros(4)
        x.delete()
        with pytest.raises(assay.Refused, match="was deleted"):
            assay.check("relu", numpy.zeros(4, "f4"), [x])

    def test_validate(self):
        report = assay.validate("softmax", lambda x, axis: self.jax.nn.softmax(x, axis), framework="jax", formats="f32", only="*/4x*/normal")
        assert report.count("pass") > 0, report


class TestTensorFlow:
    @pytest.fixture(autouse=True)
    def tensorflow(self):
        self.tf = pytest.importorskip("tensorflow")

    def test_softmax(self):
        x = self.tf.constant(numpy.random.default_rng(0).standard_normal((16, 100)), "float32")
        y = self.tf.nn.softmax(x, axis=1)
        assert assay.check("softmax", y, [x], axis=1)
        assert not assay.check("softmax", y + 1e-3, [x], axis=1)
        assert assay.check("cast", self.tf.cast(x, "bfloat16"), [x])

    def test_symbols_and_ragged_tensors_are_refused(self):
        @self.tf.function(autograph=False)
        def inside(x):
            assay.check("relu", x, [x])
            return x

        with pytest.raises(assay.Refused, match="no values"):
            inside(self.tf.zeros(4))
        with pytest.raises(assay.Refused, match="RaggedTensor"):
            assay.check("relu", numpy.zeros(3, "f4"), [self.tf.ragged.constant([[1.0], [2.0, 3.0]])])

    def test_validate(self):
        report = assay.validate("exp", self.tf.exp, framework="tensorflow", formats="f32", only="*/31/normal")
        assert report, report
