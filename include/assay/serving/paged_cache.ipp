#pragma once

#include "assay/serving/paged_cache.hpp"

#include <algorithm>

#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE PagedCache::PagedCache(std::size_t blocks, std::size_t block_size, EngineFault fault)
    : block_size_(block_size), fault_(fault), blocks_(blocks) {
  expect(blocks > 0 && block_size > 0, [] { return "PagedCache() takes a block and a slot in each at least"; });
  for (Block& block : blocks_) block.slots.resize(block_size);
}

ASSAY_DETAIL_HEADER_INLINE std::size_t PagedCache::free_blocks() const {
  return static_cast<std::size_t>(
      std::count_if(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.readers == 0; }));
}

ASSAY_DETAIL_HEADER_INLINE const TinySlot& PagedCache::slot(const BlockTable& table, std::size_t position) const {
  expect(position < table.length || fault_ != EngineFault::none,
         [] { return "PagedCache::slot() was asked for a position that is not filled"; });
  return blocks_[table.blocks[position / block_size_]].slots[position % block_size_];
}

ASSAY_DETAIL_HEADER_INLINE std::optional<std::size_t> PagedCache::take_block() {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const bool usable = blocks_[i].readers == 0 || (fault_ == EngineFault::evicts_in_use && blocks_[i].key);
    if (!usable) continue;
    const auto rank = [&](std::size_t block) { return std::pair(blocks_[block].key.has_value(), blocks_[block].read); };
    if (!found || rank(i) < rank(*found)) found = i;
  }
  if (!found) return found;
  Block& block = blocks_[*found];
  if (block.key && fault_ != EngineFault::stale_index) index_.erase(*block.key);
  block.key.reset();
  block.readers = 1;
  block.read = ++clock_;
  return found;
}

ASSAY_DETAIL_HEADER_INLINE bool PagedCache::append(BlockTable& table, const TinySlot& slot) {
  const std::size_t place = table.length % block_size_;
  if (place == 0) {
    const auto block = take_block();
    if (!block) return false;
    table.blocks.push_back(*block);
  } else if (blocks_[table.blocks.back()].readers > 1 && fault_ != EngineFault::no_copy_on_write) {
    const auto block = take_block();
    if (!block) return false;
    blocks_[*block].slots = blocks_[table.blocks.back()].slots;
    --blocks_[table.blocks.back()].readers;
    table.blocks.back() = *block;
  }
  blocks_[table.blocks.back()].slots[place] = slot;
  ++table.length;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE BlockTable PagedCache::fork(const BlockTable& table) {
  for (const std::size_t block : table.blocks) ++blocks_[block].readers;
  return table;
}

ASSAY_DETAIL_HEADER_INLINE void PagedCache::release(BlockTable& table) {
  for (const std::size_t block : table.blocks)
    if (blocks_[block].readers > 0) --blocks_[block].readers;  // with a fault it may have been taken away
  table = {};
}

ASSAY_DETAIL_HEADER_INLINE PagedCache::Key PagedCache::key_of(std::span<const std::size_t> tokens, std::size_t end,
                                                              std::size_t adapter) const {
  const std::size_t begin =
      fault_ == EngineFault::key_without_prefix ? (end - 1) / block_size_ * block_size_ : std::size_t{0};
  return {{tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(end)},
          fault_ == EngineFault::key_without_adapter ? 0 : adapter};
}

ASSAY_DETAIL_HEADER_INLINE void PagedCache::remember(const BlockTable& table, std::span<const std::size_t> tokens,
                                                     std::size_t adapter) {
  for (std::size_t i = 0; i < table.blocks.size(); ++i) {
    std::size_t end = (i + 1) * block_size_;
    // A block whose last slot is still missing is taken for full.
    const std::size_t filled = fault_ == EngineFault::partial_block_shared ? table.length + 1 : table.length;
    if (end > filled || end > tokens.size()) break;
    Block& block = blocks_[table.blocks[i]];
    const Key key = key_of(tokens, end, adapter);
    if (block.key || index_.count(key) > 0) continue;
    block.key = key;
    index_[key] = table.blocks[i];
  }
}

ASSAY_DETAIL_HEADER_INLINE BlockTable PagedCache::find_prefix(std::span<const std::size_t> tokens, std::size_t adapter,
                                                              std::size_t most) {
  BlockTable table;
  for (std::size_t end = block_size_; end <= std::min(tokens.size(), most); end += block_size_) {
    const auto found = index_.find(key_of(tokens, end, adapter));
    if (found == index_.end()) break;
    ++blocks_[found->second].readers;
    blocks_[found->second].read = ++clock_;
    table.blocks.push_back(found->second);
    table.length = end;
  }
  return table;
}

}  // namespace assay::inline v0
