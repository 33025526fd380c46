#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/rounding_model.hpp"
#include "assay/tensor/dlpack.hpp"

/// One call of the library, and its answer on whatever device the tensors lie.
namespace example {

inline assay::Outcome refused(assay::ErrorKind kind, const std::string& message) {
  assay::Outcome outcome;
  outcome.verdict = kind == assay::ErrorKind::unsupported ? assay::Verdict::unsupported : assay::Verdict::error;
  outcome.reason = message;
  return outcome;
}
inline assay::Outcome refused(const assay::Error& error) {
  return refused(error.kind, error.message);
}

/// A tensor in one of the two forms; deleted once.
struct GivenTensor {
  assay::dlpack::Owned<assay::dlpack::ManagedTensorVersioned> versioned;
  assay::dlpack::Owned<assay::dlpack::ManagedTensor> older;

  template <class B>
  assay::Result<assay::ImportedTensor> take(const B& backend) {
    return versioned != nullptr ? assay::ImportedTensor::take(backend, std::move(versioned))
                                : assay::ImportedTensor::take(backend, std::move(older));
  }
  /// None where the form is one that we cannot read.
  [[nodiscard]] std::optional<assay::dlpack::Device> device() const {
    if (older != nullptr) return older->dl_tensor.device;
    if (versioned != nullptr && versioned->version.major == assay::dlpack::major_version)
      return versioned->dl_tensor.device;
    return std::nullopt;
  }
};

struct Request {
  enum class Operation { softmax, gemm };
  Operation operation{};
  std::vector<std::pair<const char*, GivenTensor>> tensors;  ///< with their names; the output is the last
  int dimension = -1;
  bool logarithm = false;
  std::string accumulator;
  assay::RoundingModel errors = assay::RoundingModel::worst_case;
  std::int64_t stream = assay::dlpack_default_stream;
};

/// In on_host.cpp, compiled once for the program and the library.
assay::Outcome answer_on_host(Request& request);
/// In on_cuda.cu, where the project is configured with CUDA_ARCH.
assay::Outcome answer_on_cuda(int device, Request& request);

}  // namespace example
