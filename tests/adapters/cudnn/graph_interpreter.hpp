#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "assay/adapters/cudnn/detail/graph.hpp"

/// Does on the host what cuDNN was told by a graph. (Its own descriptors cannot be asked: of 9.19, pointwise functions
/// give nothing back, and convolutions tensors without ids.)
namespace assay::testing {

class CudnnGraphInterpreter {
 public:
  explicit CudnnGraphInterpreter(const detail::CudnnGraph& graph) : notes_(graph.tensor_notes()) {
    for (const auto& [id, address] : graph.data()) addresses_[id] = address;
  }

  void run(const detail::CudnnGraph& graph) {
    for (const Operation& operation : graph.operation_notes()) {
      switch (operation.type) {
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: pointwise(operation); break;
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: reduce(operation); break;
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: multiply(operation); break;
        case CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR: normalize(operation); break;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
          convolve(operation,
                   {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y},
                   2);
          break;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
          convolve(operation,
                   {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY},
                   0);
          break;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
          convolve(operation,
                   {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY},
                   1);
          break;
        default: throw std::logic_error("an operation that the interpreter does not know");
      }
    }
  }

 private:
  using Extents = std::vector<std::int64_t>;
  using Operation = detail::CudnnGraph::OperationNote;
  struct Tensor {
    std::int64_t id = 0;
    Extents extents, strides;
    ElementFormat format{};
    bool stored = false;
  };

  [[nodiscard]] static bool has_tensor(const Operation& operation, cudnnBackendAttributeName_t name) {
    return operation.values.count(name) != 0;
  }
  template <class T>
  [[nodiscard]] static T get(const Operation& operation, cudnnBackendAttributeName_t name) {
    return static_cast<T>(operation.values.at(name).at(0));
  }
  [[nodiscard]] Tensor tensor(const Operation& operation, cudnnBackendAttributeName_t name) const {
    Tensor tensor;
    tensor.id = get<std::int64_t>(operation, name);
    const auto& note = notes_.at(static_cast<std::size_t>(tensor.id - 1));
    tensor.extents = note.shape.extents;
    tensor.strides = note.shape.strides;
    tensor.stored = !note.intermediate;
    switch (note.type) {
      case CUDNN_DATA_FLOAT: tensor.format = element_format<float32>(); break;
      case CUDNN_DATA_DOUBLE: tensor.format = element_format<float64>(); break;
      case CUDNN_DATA_HALF: tensor.format = element_format<float16>(); break;
      case CUDNN_DATA_BFLOAT16: tensor.format = element_format<bfloat16>(); break;
      default: tensor.format = element_format<std::int32_t>(); break;  // booleans too
    }
    return tensor;
  }

  [[nodiscard]] static std::int64_t size(const Extents& extents) {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= extent;
    return product;
  }
  [[nodiscard]] static Extents at(const Extents& extents, std::int64_t element) {
    Extents index(extents.size());
    for (std::size_t d = extents.size(); d-- > 0; element /= extents[d]) index[d] = element % extents[d];
    return index;
  }
  /// The element at an index; along extents of 1 there is one for all.
  [[nodiscard]] double value(const Tensor& tensor, const Extents& index) const {
    std::int64_t place = 0, element = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t own = tensor.extents[d] == 1 ? 0 : index[d];
      place += own * tensor.strides[d];
      element = element * tensor.extents[d] + own;
    }
    if ((tensor.stored ? addresses_.count(tensor.id) : values_.count(tensor.id)) == 0)
      throw std::logic_error("tensor " + std::to_string(tensor.id) + ", " +
                             (tensor.stored ? "stored" : "intermediate") + ", is read and was never given");
    if (!tensor.stored) return values_.at(tensor.id)[static_cast<std::size_t>(element)];
    return tensor.format.load(addresses_.at(tensor.id), place);
  }
  void put(const Tensor& tensor, const Extents& index, double value) {
    std::int64_t place = 0, element = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      place += index[d] * tensor.strides[d];
      element = element * tensor.extents[d] + index[d];
    }
    if (tensor.stored) return tensor.format.store(addresses_.at(tensor.id), place, value);
    auto& own = values_[tensor.id];
    own.resize(static_cast<std::size_t>(size(tensor.extents)));
    own[static_cast<std::size_t>(element)] = tensor.format.round(value);
  }
  template <class Element>
  void fill(const Tensor& to, Element element) {
    for (std::int64_t e = 0; e < size(to.extents); ++e) {
      const Extents index = at(to.extents, e);
      put(to, index, element(index));
    }
  }

  void pointwise(const Operation& operation) {
    const auto mode = get<cudnnPointwiseMode_t>(operation, CUDNN_ATTR_POINTWISE_MODE);
    const Tensor x = tensor(operation, CUDNN_ATTR_OPERATION_POINTWISE_XDESC),
                 y = tensor(operation, CUDNN_ATTR_OPERATION_POINTWISE_YDESC);
    const bool two = has_tensor(operation, CUDNN_ATTR_OPERATION_POINTWISE_BDESC),
               three = has_tensor(operation, CUDNN_ATTR_OPERATION_POINTWISE_TDESC);
    const Tensor b = two ? tensor(operation, CUDNN_ATTR_OPERATION_POINTWISE_BDESC) : Tensor{},
                 t = three ? tensor(operation, CUDNN_ATTR_OPERATION_POINTWISE_TDESC) : Tensor{};
    const std::int64_t axis =
        mode == CUDNN_POINTWISE_GEN_INDEX ? get<std::int64_t>(operation, CUDNN_ATTR_POINTWISE_AXIS) : 0;
    fill(y, [&](const Extents& index) -> double {
      const double left = mode == CUDNN_POINTWISE_GEN_INDEX ? 0 : value(x, index), right = two ? value(b, index) : 0;
      switch (mode) {
        case CUDNN_POINTWISE_ADD: return left + right;
        case CUDNN_POINTWISE_SUB: return left - right;
        case CUDNN_POINTWISE_MUL: return left * right;
        case CUDNN_POINTWISE_DIV: return left / right;
        case CUDNN_POINTWISE_EXP: return std::exp(left);
        case CUDNN_POINTWISE_LOG: return std::log(left);
        case CUDNN_POINTWISE_GEN_INDEX: return static_cast<double>(index[static_cast<std::size_t>(axis)]);
        case CUDNN_POINTWISE_CMP_GE: return left >= right ? 1 : 0;
        case CUDNN_POINTWISE_CMP_GT: return left > right ? 1 : 0;
        case CUDNN_POINTWISE_BINARY_SELECT: return value(t, index) != 0 ? left : right;
        default: throw std::logic_error("a pointwise function that the interpreter does not know");
      }
    });
  }
  void reduce(const Operation& operation) {
    const bool sum = get<cudnnReduceTensorOp_t>(operation, CUDNN_ATTR_REDUCTION_OPERATOR) == CUDNN_REDUCE_TENSOR_ADD;
    const Tensor x = tensor(operation, CUDNN_ATTR_OPERATION_REDUCTION_XDESC),
                 y = tensor(operation, CUDNN_ATTR_OPERATION_REDUCTION_YDESC);
    std::map<Extents, double> results;
    for (std::int64_t e = 0; e < size(x.extents); ++e) {
      const Extents index = at(x.extents, e);
      Extents to = index;
      for (std::size_t d = 0; d < to.size(); ++d) to[d] = y.extents[d] == 1 ? 0 : to[d];
      const auto [own, first] = results.emplace(to, value(x, index));
      if (!first) own->second = sum ? own->second + value(x, index) : std::max(own->second, value(x, index));
    }
    fill(y, [&](const Extents& index) { return results.at(index); });
  }
  void multiply(const Operation& operation) {
    const Tensor a = tensor(operation, CUDNN_ATTR_OPERATION_MATMUL_ADESC),
                 b = tensor(operation, CUDNN_ATTR_OPERATION_MATMUL_BDESC),
                 c = tensor(operation, CUDNN_ATTR_OPERATION_MATMUL_CDESC);
    if (a.extents[3] != b.extents[2] || a.extents[2] != c.extents[2] || b.extents[3] != c.extents[3])
      throw std::logic_error("a product of matrices that do not fit");
    fill(c, [&](const Extents& index) {
      double sum = 0;
      const std::int64_t head = index[1] / (c.extents[1] / b.extents[1]);  // heads share those of keys and values
      for (std::int64_t p = 0; p < a.extents[3]; ++p)
        sum += value(a, {index[0], index[1], index[2], p}) * value(b, {index[0], head, p, index[3]});
      return sum;
    });
  }
  void normalize(const Operation& operation) {
    const auto mode = get<cudnnBackendNormMode_t>(operation, CUDNN_ATTR_OPERATION_NORM_FWD_MODE);
    const Tensor x = tensor(operation, CUDNN_ATTR_OPERATION_NORM_FWD_XDESC),
                 y = tensor(operation, CUDNN_ATTR_OPERATION_NORM_FWD_YDESC),
                 scale = tensor(operation, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC);
    const bool shifted = has_tensor(operation, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC),
               training = get<cudnnBackendNormFwdPhase_t>(operation, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE) ==
                          CUDNN_NORM_FWD_TRAINING;
    const Tensor shift = shifted ? tensor(operation, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC) : Tensor{};
    const double epsilon =
        value(tensor(operation, CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC), Extents(x.extents.size(), 0));
    std::map<Extents, std::vector<double>> lanes;
    const auto lane = [&](Extents index) {
      for (std::size_t d = mode == CUDNN_INSTANCE_NORM ? 2 : 1; d < index.size(); ++d) index[d] = 0;
      return index;
    };
    for (std::int64_t e = 0; e < size(x.extents); ++e)
      lanes[lane(at(x.extents, e))].push_back(value(x, at(x.extents, e)));
    std::map<Extents, std::pair<double, double>> statistics;
    for (const auto& [index, elements] : lanes) {
      double mean = 0, square = 0;
      for (const double element : elements) mean += element / static_cast<double>(elements.size());
      if (mode == CUDNN_RMS_NORM) mean = 0;
      for (const double element : elements)
        square += (element - mean) * (element - mean) / static_cast<double>(elements.size());
      statistics[index] = {mean, 1 / std::sqrt(square + epsilon)};
    }
    if (training && mode != CUDNN_RMS_NORM)
      fill(tensor(operation, CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC),
           [&](const Extents& index) { return statistics.at(index).first; });
    if (training)
      fill(tensor(operation, CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC),
           [&](const Extents& index) { return statistics.at(index).second; });
    fill(y, [&](const Extents& index) {
      const auto& [mean, inverse] = statistics.at(lane(index));
      return (value(x, index) - mean) * inverse * value(scale, index) + (shifted ? value(shift, index) : 0);
    });
  }
  /// x, w and y; `written` says which of them is computed.
  void convolve(const Operation& operation, const cudnnBackendAttributeName_t (&names)[3], int written) {
    const Extents before = operation.values.at(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS),
                  after = operation.values.at(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS),
                  strides = operation.values.at(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES),
                  dilations = operation.values.at(CUDNN_ATTR_CONVOLUTION_DILATIONS);
    const Tensor tensors[3] = {tensor(operation, names[0]), tensor(operation, names[1]), tensor(operation, names[2])};
    const Tensor &x = tensors[0], &w = tensors[1], &y = tensors[2];
    for (std::size_t d = 0; d < strides.size(); ++d)
      if ((x.extents[d + 2] + before[d] + after[d] - dilations[d] * (w.extents[d + 2] - 1) - 1) / strides[d] + 1 !=
          y.extents[d + 2])
        throw std::logic_error("a convolution whose extents do not fit: axis " + std::to_string(d) + " of " +
                               std::to_string(strides.size()) + ", input " + std::to_string(x.extents[d + 2]) +
                               ", kernel " + std::to_string(w.extents[d + 2]) + ", output " +
                               std::to_string(y.extents[d + 2]) + ", stride " + std::to_string(strides[d]) +
                               ", dilation " + std::to_string(dilations[d]) + ", padding " + std::to_string(before[d]) +
                               " and " + std::to_string(after[d]));
    const std::int64_t groups = x.extents[1] / w.extents[1], per_group = w.extents[0] / groups;
    std::map<Extents, double> sums;
    for (std::int64_t e = 0; e < size(y.extents); ++e)
      for (std::int64_t k = 0; k < size(w.extents) / w.extents[0]; ++k) {
        const Extents to = at(y.extents, e);
        Extents taps = w.extents;
        taps[0] = 1;
        Extents tap = at(taps, k), from = to;
        tap[0] = to[1];
        from[1] = to[1] / per_group * w.extents[1] + tap[1];
        bool inside = true;
        for (std::size_t d = 0; d < strides.size(); ++d) {
          from[d + 2] = to[d + 2] * strides[d] + tap[d + 2] * dilations[d] - before[d];
          inside = inside && from[d + 2] >= 0 && from[d + 2] < x.extents[d + 2];
        }
        if (!inside) continue;
        if (written == 2) sums[to] += value(x, from) * value(w, tap);
        if (written == 1) sums[tap] += value(x, from) * value(y, to);
        if (written == 0) sums[from] += value(w, tap) * value(y, to);
      }
    fill(tensors[written], [&](const Extents& index) { return sums.count(index) != 0 ? sums.at(index) : 0; });
  }

  std::vector<detail::CudnnGraph::TensorNote> notes_;
  std::map<std::int64_t, void*> addresses_;
  std::map<std::int64_t, std::vector<double>> values_;
};

}  // namespace assay::testing
