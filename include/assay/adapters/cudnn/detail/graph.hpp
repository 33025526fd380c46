#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/adapters/cudnn/detail/descriptor.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

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

/// A graph of cuDNN's operations between tensors in memory, numbers, and tensors that are never stored. Making it needs
/// no device.
class CudnnGraph {
 public:
  using Tensor = std::int64_t;  ///< its unique id, counted from 1

  /// What was said of a tensor and of an operation, by the names of its attributes and of its parts'; tensors by their
  /// ids.
  struct TensorNote {
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    CudnnShape shape;
    std::int64_t alignment = 16;
    bool intermediate = false, by_value = false;
  };
  struct OperationNote {
    cudnnBackendDescriptorType_t type{};
    std::map<cudnnBackendAttributeName_t, std::vector<std::int64_t>> values;
  };

  /// `operand` in the extents and strides of `shape`, whose address is a multiple of at most `alignment` bytes, a power
  /// of two.
  Tensor tensor(const Operand& operand, const CudnnShape& shape, std::uintptr_t alignment = 64) {
    const auto type = cudnn_type_of(operand.format);
    if (!type) {
      if (status_)
        static_cast<void>(status_ = failure(ErrorKind::unsupported,
                                            std::string("cuDNN is not asked for tensors in ") + operand.format.name));
      return add(CUDNN_DATA_FLOAT, shape, false, false, 16);
    }
    const Tensor id = add(*type, shape, false, false, alignment_of(operand.data, alignment));
    data_.push_back({id, operand.data});
    return id;
  }
  /// Between operations.
  Tensor intermediate(const CudnnShape& shape, cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    return add(type, shape, true, false, 16);
  }
  /// One number, of as many extents of 1 as the tensors beside it have.
  Tensor number(float value, std::size_t rank = 4) { return by_value(CUDNN_DATA_FLOAT, &value, sizeof value, rank); }
  Tensor number(std::int32_t value, std::size_t rank = 4) {
    return by_value(CUDNN_DATA_INT32, &value, sizeof value, rank);
  }

  /// An operation that is being described: tensors by their ids.
  class Operation {
   public:
    Operation(CudnnGraph& graph, cudnnBackendDescriptorType_t type)
        : graph_(graph), descriptor_(type), note_{type, {}} {}
    Operation& tensor(cudnnBackendAttributeName_t name, Tensor id) {
      descriptor_.set(name, graph_.tensors_[static_cast<std::size_t>(id - 1)]);
      return note(name, {id});
    }
    Operation& part(cudnnBackendAttributeName_t name, const CudnnDescriptor& part) {
      descriptor_.set(name, part);
      return *this;
    }
    /// Something that one of the parts says.
    Operation& note(cudnnBackendAttributeName_t name, std::vector<std::int64_t> values) {
      note_.values[name] = std::move(values);
      return *this;
    }
    Operation& number(cudnnBackendAttributeName_t name, double value) {
      descriptor_.set(name, value);
      return *this;
    }
    template <class Choice>
    Operation& choice(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, Choice value) {
      descriptor_.set(name, type, 1, &value);
      return note(name, {static_cast<std::int64_t>(value)});
    }
    void finish(const char* what) {
      descriptor_.finalize(what);
      graph_.take(descriptor_);
      graph_.operations_.push_back(std::move(descriptor_));
      graph_.operation_notes_.push_back(std::move(note_));
    }

   private:
    CudnnGraph& graph_;
    CudnnDescriptor descriptor_;
    OperationNote note_;
  };
  [[nodiscard]] Operation operation(cudnnBackendDescriptorType_t type) { return {*this, type}; }

  /// A function of the elements of x, of b where there is one, and of a choice between them; elements of extent 1 are
  /// used for all.
  struct Function {
    cudnnPointwiseMode_t mode = CUDNN_POINTWISE_IDENTITY;
    Tensor x = 0;
    std::optional<Tensor> b = {}, choice = {};
    std::int64_t axis = -1;  ///< of an index that is generated
    cudnnDataType_t precision = CUDNN_DATA_FLOAT;
  };
  /// Into `y`, which it returns.
  Tensor pointwise(const Function& function, Tensor y) {
    CudnnDescriptor how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &function.mode)
        .set(CUDNN_ATTR_POINTWISE_MATH_PREC, function.precision);
    if (function.axis >= 0) how.set(CUDNN_ATTR_POINTWISE_AXIS, function.axis);
    how.finalize("a pointwise function");
    Operation made = operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    made.note(CUDNN_ATTR_POINTWISE_MODE, {function.mode})
        .note(CUDNN_ATTR_POINTWISE_MATH_PREC, {function.precision})
        .note(CUDNN_ATTR_POINTWISE_AXIS, {function.axis});
    made.part(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how)
        .tensor(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, function.x);
    if (function.b) made.tensor(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *function.b);
    if (function.choice) made.tensor(CUDNN_ATTR_OPERATION_POINTWISE_TDESC, *function.choice);
    made.tensor(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y).finish("a pointwise operation");
    return y;
  }
  /// Along the dimensions in which y has extent 1, in float32.
  Tensor reduce(cudnnReduceTensorOp_t by, Tensor x, Tensor y) {
    CudnnDescriptor how(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &by)
        .set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_DATA_FLOAT)
        .finalize("a reduction");
    operation(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR)
        .note(CUDNN_ATTR_REDUCTION_OPERATOR, {by})
        .part(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how)
        .tensor(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x)
        .tensor(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y)
        .finish("a reduction's operation");
    return y;
  }
  /// c = a·b for each of the leading dimensions, sums in float32.
  Tensor multiply(Tensor a, Tensor b, Tensor c) {
    CudnnDescriptor how(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
    how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT).finalize("a product");
    operation(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR)
        .part(CUDNN_ATTR_OPERATION_MATMUL_DESC, how)
        .tensor(CUDNN_ATTR_OPERATION_MATMUL_ADESC, a)
        .tensor(CUDNN_ATTR_OPERATION_MATMUL_BDESC, b)
        .tensor(CUDNN_ATTR_OPERATION_MATMUL_CDESC, c)
        .finish("a product's operation");
    return c;
  }

  [[nodiscard]] const Result<void>& status() const { return status_; }
  /// The same for graphs for which one plan serves: only addresses and numbers may differ.
  [[nodiscard]] std::string signature() const {
    std::string text;
    const auto append = [&](std::int64_t number) { text += std::to_string(number) + ","; };
    for (const TensorNote& tensor : tensor_notes_) {
      for (const std::int64_t number : {std::int64_t{tensor.type}, tensor.alignment, std::int64_t{tensor.intermediate},
                                        std::int64_t{tensor.by_value}})
        append(number);
      for (const auto* numbers : {&tensor.shape.extents, &tensor.shape.strides})
        for (const std::int64_t number : *numbers) append(number);
      text += ";";
    }
    for (const OperationNote& operation : operation_notes_) {
      append(operation.type);
      for (const auto& [name, values] : operation.values) {
        append(name);
        for (const std::int64_t value : values) append(value);
      }
      text += ";";
    }
    return text;
  }
  [[nodiscard]] const std::vector<CudnnDescriptor>& operations() const { return operations_; }
  [[nodiscard]] const std::vector<TensorNote>& tensor_notes() const { return tensor_notes_; }
  [[nodiscard]] const std::vector<OperationNote>& operation_notes() const { return operation_notes_; }
  /// Ids and addresses of what lies in memory, numbers among them; the graph owns those.
  [[nodiscard]] const std::vector<std::pair<Tensor, void*>>& data() const { return data_; }

  void take(const CudnnDescriptor& made) {
    if (status_ && !made.status()) static_cast<void>(status_ = made.status());
  }

 private:
  [[nodiscard]] static std::int64_t alignment_of(const void* data, std::uintptr_t most) {
    const auto address = reinterpret_cast<std::uintptr_t>(data) | most;
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
    made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type)
        .set(CUDNN_ATTR_TENSOR_DIMENSIONS, shape.extents)
        .set(CUDNN_ATTR_TENSOR_STRIDES, shape.strides)
        .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
    made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment)
        .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, is_virtual)
        .set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, is_by_value)
        .finalize("a tensor");
    take(made);
    tensors_.push_back(std::move(made));
    tensor_notes_.push_back({type, shape, alignment, is_virtual, is_by_value});
    return id;
  }

  struct Number {
    alignas(8) unsigned char bytes[8] = {};
  };
  std::vector<CudnnDescriptor> tensors_, operations_;
  std::vector<TensorNote> tensor_notes_;
  std::vector<OperationNote> operation_notes_;
  std::deque<Number> numbers_;
  std::vector<std::pair<Tensor, void*>> data_;
  Result<void> status_;
};

}  // namespace assay::inline v0::detail
