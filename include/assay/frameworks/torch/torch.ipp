#pragma once

#include "assay/frameworks/torch/torch.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/serve_executor.hpp"
#include "assay/frameworks/detail/torch_library.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Torch::Torch(std::unique_ptr<detail::TorchLibrary> library) : library_(std::move(library)) {}
ASSAY_DETAIL_HEADER_INLINE Torch::Torch(Torch&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE Torch& Torch::operator=(Torch&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE Torch::~Torch() = default;

ASSAY_DETAIL_HEADER_INLINE Result<Torch> Torch::open(const std::string& path) {
  auto library = std::make_unique<detail::TorchLibrary>();
  if (auto opened = library->open(path); !opened) return opened.propagate();
  return Torch(std::move(library));
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> Torch::describe() {
  return library_->describe();
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> Torch::run(const GraphProgram& program,
                                                       const std::vector<GraphTensor>& inputs) {
  return library_->run(program, inputs);
}

ASSAY_DETAIL_HEADER_INLINE int serve_torch(const std::string& path) {
  return detail::serve_executor([&] { return Torch::open(path); });
}

}  // namespace assay::inline v0
