#pragma once

#include "assay/gpgpu/webgpu/webgpu_buffers.hpp"

#include <cstring>
#include <string>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> WebGpuBuffers::add(const std::vector<unsigned char>& content) {
  using namespace detail::webgpu;
  const auto made = device_->buffer(content, storage | copy_source | copy_target);
  if (!made) return made.propagate();
  blocks_.push_back({made.value(), content.size()});
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<WebGpuBuffers> WebGpuBuffers::create(WebGpuDevice& device, const StagingPlan& plan) {
  WebGpuBuffers buffers(device, plan);
  for (const StagedBlock& block : plan.blocks) {
    const std::size_t bytes = (block.buffer_bytes() + 3) / 4 * 4,  // as copies and bindings want them
        most = device.description().max_binding;
    if (bytes > most)
      return failure(ErrorKind::unsupported, "an operand takes " + std::to_string(bytes) +
                                                 " bytes, and a binding of the device has at most " +
                                                 std::to_string(most));
    std::vector<unsigned char> content(bytes);
    std::memcpy(content.data() + block.offset, block.begin, block.bytes());
    if (auto added = buffers.add(content); !added) return added.propagate();
  }
  return Result<WebGpuBuffers>(std::move(buffers));
}

ASSAY_DETAIL_HEADER_INLINE WebGpuBuffers::~WebGpuBuffers() {
  for (const Block& block : blocks_) device_->functions().BufferRelease(block.buffer);
}

ASSAY_DETAIL_HEADER_INLINE WebGpuBinding WebGpuBuffers::from(std::size_t block, std::size_t origin) const {
  return {blocks_[block].buffer, origin, blocks_[block].bytes - origin};
}

ASSAY_DETAIL_HEADER_INLINE Result<WebGpuBinding> WebGpuBuffers::nothing() {
  if (auto added = add(std::vector<unsigned char>(64)); !added) return added.propagate();
  return from(blocks_.size() - 1, 0);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> WebGpuBuffers::fetch() const {
  for (std::size_t i = 0; i < plan_.blocks.size(); ++i) {
    const auto read = device_->content(blocks_[i].buffer, blocks_[i].bytes);
    if (!read) return read.propagate();
    std::memcpy(plan_.blocks[i].begin, read.value().data() + plan_.blocks[i].offset, plan_.blocks[i].bytes());
  }
  return {};
}

}  // namespace assay::inline v0
