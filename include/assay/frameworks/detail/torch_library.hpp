#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/detail/eager_graph.hpp"
#include "assay/frameworks/detail/torch_interface.hpp"

namespace assay::inline v0::detail {

/// A value for the dispatcher of PyTorch's operators.
struct TorchArgument {
  enum class Kind { none, tensor, whole, real, truth, text, type, wholes, tensors };

  Kind kind = Kind::none;
  bool optional = false;          ///< the operator's schema has '?'
  bool optional_members = false;  ///< the schema's list has members with '?'
  std::int64_t whole = 0;         ///< of truth values, too
  double real = 0;
  std::string text;
  TensorType type = TensorType::float32;
  EagerExtents wholes;
  std::vector<EagerTensor> tensors;  ///< one, of kind `tensor`

  TorchArgument() = default;
  TorchArgument(const EagerTensor& tensor) : kind(Kind::tensor), tensors{tensor} {}
  TorchArgument(std::int64_t value) : kind(Kind::whole), whole(value) {}
  TorchArgument(int value) : kind(Kind::whole), whole(value) {}
  TorchArgument(double value) : kind(Kind::real), real(value) {}
  TorchArgument(bool value) : kind(Kind::truth), whole(value ? 1 : 0) {}
  TorchArgument(const char* value) : kind(Kind::text), text(value) {}
  TorchArgument(TensorType value) : kind(Kind::type), type(value) {}
  TorchArgument(EagerExtents values) : kind(Kind::wholes), wholes(std::move(values)) {}
  TorchArgument(std::vector<EagerTensor> values) : kind(Kind::tensors), tensors(std::move(values)) {}
};

/// As an argument whose type in the schema has '?'.
[[nodiscard]] inline TorchArgument maybe(TorchArgument value) {
  value.optional = value.kind != TorchArgument::Kind::none;
  return value;
}

/// PyTorch's functions, by dlopen. It is never unloaded: threads stay behind.
class TorchLibrary {
 public:
  [[nodiscard]] Result<void> open(const std::string& path);
  [[nodiscard]] Result<ExecutorDescription> describe();
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

  [[nodiscard]] void* symbol(const char* name) const;
  /// Calls the function of that name, which returns 0 on success. Errors: `unsupported` where there is none, or it says
  /// that this is not implemented; `device` with what it says.
  template <class... Parameters, class... Arguments>
  [[nodiscard]] Result<void> call(const char* name, const std::string& what, Arguments... arguments) const {
    void* const function = symbol(name);
    if (function == nullptr) return missing(name);
    return judged(reinterpret_cast<std::int32_t (*)(Parameters...)>(function)(arguments...), what);
  }
  /// Calls an operator with all arguments of its schema: "aten::sum", "dim_IntList".
  [[nodiscard]] Result<std::vector<EagerTensor>> compute(const std::string& name, const std::string& overload,
                                                         const std::vector<TorchArgument>& arguments,
                                                         std::size_t outputs) const;
  /// A tensor on that memory, which is not copied.
  [[nodiscard]] Result<EagerTensor> wrap(const GraphTensor& tensor) const;
  [[nodiscard]] Result<EagerTensor> empty(TensorType type, const EagerExtents& extents) const;
  [[nodiscard]] Result<GraphTensor> fetch(const EagerTensor& tensor) const;
  /// Takes over a handle, and asks what it is of.
  [[nodiscard]] Result<EagerTensor> adopt(void* handle) const;

 private:
  [[nodiscard]] Failure missing(const char* name) const;
  [[nodiscard]] Result<void> judged(std::int32_t code, const std::string& what) const;
  [[nodiscard]] Result<std::uint64_t> stacked(const TorchArgument& argument) const;
  [[nodiscard]] Result<std::uint64_t> stacked_list(const TorchArgument& argument) const;
  [[nodiscard]] Result<std::uint64_t> stacked_tensor(const EagerTensor& tensor) const;
  [[nodiscard]] Result<std::uint64_t> boxed(std::uint64_t value) const;
  [[nodiscard]] Result<void> set_threads(int threads) const;
  [[nodiscard]] Result<std::int32_t> number(TensorType type) const;

  void* library_ = nullptr;
  std::string path_, version_;
  std::map<TensorType, std::int32_t> types_;
  std::int32_t cpu_ = 0, contiguous_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/torch_library.ipp"
#endif
