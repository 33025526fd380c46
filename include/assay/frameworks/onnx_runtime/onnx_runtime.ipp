#pragma once

#include "assay/frameworks/onnx_runtime/onnx_runtime.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/onnx_runtime_library.hpp"
#include "assay/frameworks/detail/serve_executor.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE OnnxRuntime::OnnxRuntime(std::unique_ptr<detail::OnnxRuntimeLibrary> library)
    : library_(std::move(library)) {}
ASSAY_DETAIL_HEADER_INLINE OnnxRuntime::OnnxRuntime(OnnxRuntime&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE OnnxRuntime& OnnxRuntime::operator=(OnnxRuntime&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE OnnxRuntime::~OnnxRuntime() = default;

ASSAY_DETAIL_HEADER_INLINE Result<OnnxRuntime> OnnxRuntime::open(const std::string& path) {
  auto library = std::make_unique<detail::OnnxRuntimeLibrary>();
  if (auto opened = library->open(path); !opened) return opened.propagate();
  return OnnxRuntime(std::move(library));
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> OnnxRuntime::describe() {
  return library_->describe();
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> OnnxRuntime::run(const GraphProgram& program,
                                                             const std::vector<GraphTensor>& inputs) {
  return library_->run(program, inputs);
}

ASSAY_DETAIL_HEADER_INLINE int serve_onnx_runtime(const std::string& path) {
  return detail::serve_executor([&] { return OnnxRuntime::open(path); });
}

}  // namespace assay::inline v0
