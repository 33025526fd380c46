#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/adapters/cudnn/detail/descriptor.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::detail {

/// cuDNN's name of a format, where it has one.
[[nodiscard]] inline std::optional<cudnnDataType_t> cudnn_type_of(const ElementFormat& format) {
  if (format == element_format<float32>()) return CUDNN_DATA_FLOAT;
  if (format == element_format<float64>()) return CUDNN_DATA_DOUBLE;
  if (format == element_format<float16>()) return CUDNN_DATA_HALF;
  if (format == element_format<bfloat16>()) return CUDNN_DATA_BFLOAT16;
  if (format == element_format<std::int32_t>()) return CUDNN_DATA_INT32;
  return std::nullopt;
}

/// Extents and strides in the order in which an operation of cuDNN takes them.
struct CudnnShape {
  std::vector<std::int64_t> extents, strides;

  void append(Index extent, Index stride) {
    extents.push_back(extent);
    strides.push_back(stride);
  }
  /// Row after row, without gaps.
  [[nodiscard]] static CudnnShape dense(std::vector<std::int64_t> extents) {
    CudnnShape shape;
    shape.extents = std::move(extents);
    shape.strides.assign(shape.extents.size(), 1);
    for (std::size_t d = shape.extents.size(); d-- > 1;) shape.strides[d - 1] = shape.strides[d] * shape.extents[d];
    return shape;
  }
};

/// A graph of cuDNN's operations between tensors in memory, numbers, and tensors that are never stored. Making it needs no device; `signature()` tells graphs apart for which
/// different plans are needed.
class CudnnGraph {
 public:
  using Tensor = std::int64_t;  ///< its unique id

  /// `operand` in the extents and strides of `shape`.
  Tensor tensor(const Operand& operand, const CudnnShape& shape) {
    const auto type = cudnn_type_of(operand.format);
    if (!type) {
      if (status_) status_ = failure(ErrorKind::unsupported, std::string("cuDNN is not asked for tensors in ") + operand.format.name);
      return add(CUDNN_DATA_FLOAT, shape, false, false, 16);
    }
    const Tensor id = add(*type, shape, false, false, alignment(operand.data));
    data_.push_back({id, operand.data});
    return id;
  }
  /// Between operations.
  Tensor intermediate(const CudnnShape& shape, cudnnDataType_t type = CUDNN_DATA_FLOAT) { return add(type, shape, true, false, 16); }
  /// One number, of as many extents of 1 as the tensors beside it have.
  Tensor number(float value, std::size_t rank = 4) { return by_value(CUDNN_DATA_FLOAT, &value, sizeof value, rank); }
  Tensor number(std::int32_t value, std::size_t rank = 4) { return by_value(CUDNN_DATA_INT32, &value, sizeof value, rank); }

  /// An operation that is being described: tensors by their ids.
  class Operation {
   public:
    Operation(CudnnGraph& graph, cudnnBackendDescriptorType_t type) : graph_(graph), descriptor_(type) { graph_.sign(type); }
    Operation& tensor(cudnnBackendAttributeName_t name, Tensor id) {
      graph_.sign(name, id);
      descriptor_.set(name, graph_.tensors_[static_cast<std::size_t>(id - 1)]);
      return *this;
    }
    Operation& part(cudnnBackendAttributeName_t name, const CudnnDescriptor& part) {
      descriptor_.set(name, part);
      return *this;
    }
    Operation& number(cudnnBackendAttributeName_t name, double value) {
      descriptor_.set(name, value);
      return *this;
    }
    template <class Choice>
    Operation& choice(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, Choice value) {
      graph_.sign(name, static_cast<std::int64_t>(value));
      descriptor_.set(name, type, 1, &value);
      return *this;
    }
    void finish(const char* what) {
      descriptor_.finalise(what);
      graph_.take(descriptor_);
      graph_.operations_.push_back(std::move(descriptor_));
    }

   private:
    CudnnGraph& graph_;
    CudnnDescriptor descriptor_;
  };
  [[nodiscard]] Operation operation(cudnnBackendDescriptorType_t type) { return {*this, type}; }

  /// y = mode(x) or mode(x, b), elements of extent 1 used for all, in float32.
  Tensor pointwise(cudnnPointwiseMode_t mode, Tensor x, std::optional<Tensor> b, Tensor y) {
    CudnnDescriptor how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode).set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT).finalise("the pointwise function");
    sign(mode);
    Operation made = operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    made.part(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how).tensor(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
    if (b) made.tensor(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *b);
    made.tensor(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y).finish("a pointwise operation");
    return y;
  }

  [[nodiscard]] const Result<void>& status() const { return status_; }
  [[nodiscard]] const std::string& signature() const { return signature_; }
  [[nodiscard]] const std::vector<CudnnDescriptor>& operations() const { return operations_; }
  /// Ids and addresses of what lies in memory, numbers among them; the graph owns those.
  [[nodiscard]] const std::vector<std::pair<Tensor, void*>>& data() const { return data_; }

  template <class... Numbers>
  void sign(Numbers... numbers) {
    ((signature_ += std::to_string(static_cast<std::int64_t>(numbers)) + ","), ...);
    signature_ += ";";
  }
  void take(const CudnnDescriptor& made) {
    if (status_ && !made.status()) status_ = made.status();
  }

 private:
  [[nodiscard]] static std::int64_t alignment(const void* data) {
    const auto address = reinterpret_cast<std::uintptr_t>(data) | 64;
    return static_cast<std::int64_t>(address & (~address + 1));
  }
  Tensor by_value(cudnnDataType_t type, const void* value, std::size_t bytes, std::size_t rank) {
    const Tensor id = add(type, CudnnShape::dense(std::vector<std::int64_t>(rank, 1)), false, true, 16);
    numbers_.emplace_back();
    std::memcpy(numbers_.back().bytes, value, bytes);
    data_.push_back({id, numbers_.back().bytes});
    return id;
  }
  Tensor add(cudnnDataType_t type, const CudnnShape& shape, bool is_virtual, bool is_by_value, std::int64_t alignment) {
    const Tensor id = static_cast<Tensor>(tensors_.size()) + 1;
    CudnnDescriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type).set(CUDNN_ATTR_TENSOR_DIMENSIONS, shape.extents).set(CUDNN_ATTR_TENSOR_STRIDES, shape.strides).set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
    made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment).set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, is_virtual).set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, is_by_value).finalise("a tensor");
    take(made);
    tensors_.push_back(std::move(made));
    sign(type, is_virtual, is_by_value, alignment);
    for (const auto& numbers : {shape.extents, shape.strides})
      for (const std::int64_t value : numbers) sign(value);
    return id;
  }

  struct Number {
    alignas(8) unsigned char bytes[8] = {};
  };
  std::vector<CudnnDescriptor> tensors_, operations_;
  std::deque<Number> numbers_;
  std::vector<std::pair<Tensor, void*>> data_;
  std::string signature_;
  Result<void> status_;
};

}  // namespace assay::detail
