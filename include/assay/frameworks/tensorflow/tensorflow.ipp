#pragma once

#include "assay/frameworks/tensorflow/tensorflow.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/serve_executor.hpp"
#include "assay/frameworks/detail/tensorflow_library.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE TensorFlow::TensorFlow(std::unique_ptr<detail::TensorFlowLibrary> library)
    : library_(std::move(library)) {}
ASSAY_DETAIL_HEADER_INLINE TensorFlow::TensorFlow(TensorFlow&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE TensorFlow& TensorFlow::operator=(TensorFlow&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE TensorFlow::~TensorFlow() = default;

ASSAY_DETAIL_HEADER_INLINE Result<TensorFlow> TensorFlow::open(const std::string& path) {
  auto library = std::make_unique<detail::TensorFlowLibrary>();
  if (auto opened = library->open(path); !opened) return opened.propagate();
  return TensorFlow(std::move(library));
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> TensorFlow::describe() {
  return library_->describe();
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> TensorFlow::run(const GraphProgram& program,
                                                            const std::vector<GraphTensor>& inputs) {
  return library_->run(program, inputs);
}

ASSAY_DETAIL_HEADER_INLINE int serve_tensorflow(const std::string& path) {
  return detail::serve_executor([&] { return TensorFlow::open(path); });
}

}  // namespace assay::inline v0
