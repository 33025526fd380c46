#pragma once

#include "assay/frameworks/openvino/openvino.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/openvino_library.hpp"
#include "assay/frameworks/detail/serve_executor.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE OpenVino::OpenVino(std::unique_ptr<detail::OpenVinoLibrary> library)
    : library_(std::move(library)) {}
ASSAY_DETAIL_HEADER_INLINE OpenVino::OpenVino(OpenVino&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE OpenVino& OpenVino::operator=(OpenVino&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE OpenVino::~OpenVino() = default;

ASSAY_DETAIL_HEADER_INLINE Result<OpenVino> OpenVino::open(const std::string& path) {
  auto library = std::make_unique<detail::OpenVinoLibrary>();
  if (auto opened = library->open(path); !opened) return opened.propagate();
  return OpenVino(std::move(library));
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> OpenVino::describe() {
  return library_->describe();
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> OpenVino::run(const GraphProgram& program,
                                                          const std::vector<GraphTensor>& inputs) {
  return library_->run(program, inputs);
}

ASSAY_DETAIL_HEADER_INLINE int serve_openvino(const std::string& path) {
  return detail::serve_executor([&] { return OpenVino::open(path); });
}

}  // namespace assay::inline v0
