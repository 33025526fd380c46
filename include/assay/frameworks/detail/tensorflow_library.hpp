#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/detail/eager_graph.hpp"
#include "assay/frameworks/detail/tensorflow_interface.hpp"

namespace assay::inline v0::detail {

/// An attribute of an operator of TensorFlow; types of inputs are found by TensorFlow itself.
struct TensorFlowAttribute {
  enum class Kind { whole, real, truth, text, type, wholes };

  std::string name;
  Kind kind = Kind::whole;
  std::int64_t whole = 0;  ///< of truth values, too
  double real = 0;
  std::string text;
  TensorType type = TensorType::float32;
  EagerExtents wholes;

  TensorFlowAttribute(const char* own, std::int64_t value) : name(own), whole(value) {}
  TensorFlowAttribute(const char* own, double value) : name(own), kind(Kind::real), real(value) {}
  TensorFlowAttribute(const char* own, bool value) : name(own), kind(Kind::truth), whole(value ? 1 : 0) {}
  TensorFlowAttribute(const char* own, const char* value) : name(own), kind(Kind::text), text(value) {}
  TensorFlowAttribute(const char* own, TensorType value) : name(own), kind(Kind::type), type(value) {}
  TensorFlowAttribute(const char* own, EagerExtents values)
      : name(own), kind(Kind::wholes), wholes(std::move(values)) {}
};

/// A call of an operator of TensorFlow.
struct TensorFlowCall {
  std::string name;  ///< "MatMul"
  std::vector<EagerTensor> inputs;
  std::vector<TensorFlowAttribute> attributes = {};
  bool listed = false;  ///< all but the last input are one list
  int outputs = 1;
};

/// TensorFlow's functions, by dlopen, and a context of its eager execution. It is never unloaded: threads stay behind.
class TensorFlowLibrary {
 public:
  TensorFlowLibrary() = default;
  TensorFlowLibrary(const TensorFlowLibrary&) = delete;
  TensorFlowLibrary& operator=(const TensorFlowLibrary&) = delete;
  ~TensorFlowLibrary();

  [[nodiscard]] Result<void> open(const std::string& path);
  [[nodiscard]] Result<ExecutorDescription> describe();
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

  /// Errors: `unsupported` for what TensorFlow has not written, or computed on another device than was asked for.
  [[nodiscard]] Result<std::vector<EagerTensor>> compute(const TensorFlowCall& call) const;
  /// A tensor on that memory, where it is aligned as TensorFlow wants it, and on the mode's device.
  [[nodiscard]] Result<EagerTensor> bring(const GraphTensor& tensor) const;
  [[nodiscard]] Result<GraphTensor> fetch(const EagerTensor& tensor) const;
  /// As TensorFlow spells it.
  [[nodiscard]] const std::string& device() const { return device_; }

 private:
  [[nodiscard]] void* symbol(const char* name) const;
  /// The function of that name; `open` has seen that there is one.
  template <class Function>
  [[nodiscard]] Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }
  /// Judges what the last call left in the status.
  [[nodiscard]] Result<void> judged(const std::string& what) const;
  /// Makes the context for that many threads, unless it is there.
  [[nodiscard]] Result<void> prepare(int threads);
  [[nodiscard]] Result<std::vector<std::string>> devices() const;
  [[nodiscard]] Result<void> choose_device(const std::string& asked);
  [[nodiscard]] Result<EagerTensor> adopt(void* handle) const;
  [[nodiscard]] Result<void> describe_call(void* operation, const TensorFlowCall& call) const;
  void release(const char* name, void* object) const;

  void* library_ = nullptr;
  std::string path_, version_, device_;
  void *status_ = nullptr, *context_ = nullptr;
  int threads_ = 0;  ///< of the context
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/tensorflow_library.ipp"
#endif
