#pragma once

#include "assay/frameworks/pjrt/pjrt.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/pjrt_library.hpp"
#include "assay/frameworks/detail/serve_executor.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Pjrt::Pjrt(std::unique_ptr<detail::PjrtLibrary> library) : library_(std::move(library)) {}
ASSAY_DETAIL_HEADER_INLINE Pjrt::Pjrt(Pjrt&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE Pjrt& Pjrt::operator=(Pjrt&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE Pjrt::~Pjrt() = default;

ASSAY_DETAIL_HEADER_INLINE Result<Pjrt> Pjrt::open(const std::string& path) {
  auto library = std::make_unique<detail::PjrtLibrary>();
  if (auto opened = library->open(path); !opened) return opened.propagate();
  return Pjrt(std::move(library));
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> Pjrt::describe() {
  return library_->describe();
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> Pjrt::run(const GraphProgram& program,
                                                      const std::vector<GraphTensor>& inputs) {
  return library_->run(program, inputs);
}

ASSAY_DETAIL_HEADER_INLINE int serve_pjrt(const std::string& path) {
  return detail::serve_executor([&] { return Pjrt::open(path); });
}

}  // namespace assay::inline v0
