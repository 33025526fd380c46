#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "assay/adapters/cudnn/detail/status.hpp"

namespace assay::inline v0::detail {

/// A descriptor of cuDNN's backend interface: made, given attributes, finalized, destroyed when the last owner goes.
/// The first call that fails decides; later ones do nothing. (Assignments are cast to void since nvcc takes them for
/// results that are ignored.)
class CudnnDescriptor {
 public:
  explicit CudnnDescriptor(cudnnBackendDescriptorType_t type) : type_(type) {
    cudnnBackendDescriptor_t made = nullptr;
    static_cast<void>(status_ =
                          cudnn_result("cudnnBackendCreateDescriptor", cudnnBackendCreateDescriptor(type, &made)));
    if (status_)
      own_ = {made, [](cudnnBackendDescriptor_t own) { static_cast<void>(cudnnBackendDestroyDescriptor(own)); }};
  }

  CudnnDescriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
                       const void* values) {
    if (status_)
      static_cast<void>(status_ = cudnn_result("cudnnBackendSetAttribute",
                                               cudnnBackendSetAttribute(own_.get(), name, type, count, values),
                                               "attribute " + std::to_string(static_cast<int>(name))));
    return *this;
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& numbers) {
    return set(name, CUDNN_TYPE_INT64, static_cast<std::int64_t>(numbers.size()), numbers.data());
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t name, std::int64_t number) {
    return set(name, CUDNN_TYPE_INT64, 1, &number);
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t name, bool choice) {
    return set(name, CUDNN_TYPE_BOOLEAN, 1, &choice);
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t name, double number) {
    return set(name, CUDNN_TYPE_DOUBLE, 1, &number);
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t name, cudnnDataType_t type) {
    return set(name, CUDNN_TYPE_DATA_TYPE, 1, &type);
  }
  CudnnDescriptor& set(cudnnBackendAttributeName_t name, const CudnnDescriptor& other) {
    if (status_ && !other.status_) static_cast<void>(status_ = other.status_);
    cudnnBackendDescriptor_t handle = other.handle();
    return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &handle);
  }
  CudnnDescriptor& finalize(const char* what) {
    if (status_)
      static_cast<void>(status_ = cudnn_result("cudnnBackendFinalize", cudnnBackendFinalize(own_.get()), what));
    return *this;
  }
  /// At most values.size() values of an attribute. Fails as the library does.
  template <class T>
  [[nodiscard]] Result<std::vector<T>> get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                                           std::vector<T> values) const {
    if (!status_) return status_.propagate();
    std::int64_t count = 0;
    if (auto got =
            cudnn_result("cudnnBackendGetAttribute",
                         cudnnBackendGetAttribute(own_.get(), name, type, static_cast<std::int64_t>(values.size()),
                                                  &count, values.data()));
        !got)
      return got.propagate();
    if (count >= 0 && static_cast<std::size_t>(count) < values.size()) values.resize(static_cast<std::size_t>(count));
    return values;
  }

  [[nodiscard]] const Result<void>& status() const { return status_; }
  [[nodiscard]] cudnnBackendDescriptor_t handle() const { return own_.get(); }
  [[nodiscard]] cudnnBackendDescriptorType_t type() const { return type_; }

 private:
  cudnnBackendDescriptorType_t type_;
  std::shared_ptr<std::remove_pointer_t<cudnnBackendDescriptor_t>> own_;
  Result<void> status_;
};

}  // namespace assay::inline v0::detail
