#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/serving/tiny_decoder.hpp"

namespace assay::inline v0 {

/// Mistakes that engines make with pages, chunks, batches and adapters. All but the first change answers.
enum class EngineFault : std::uint8_t {
  none,
  no_copy_on_write,           ///< a branch writes into a block that it shares
  evicts_in_use,              ///< blocks are taken from those who still read them
  stale_index,                ///< an evicted block is still found by its old contents
  key_without_prefix,         ///< a block is found by its own tokens, whatever came before
  key_without_adapter,        ///< a block is found whichever adapter made it
  partial_block_shared,       ///< a block is taken for cached before it is full
  table_not_moved,            ///< a slot of the batch keeps the block table of who left it
  resumed_without_recompute,  ///< who was preempted goes on as if the blocks were still its own
  chunk_forgets,              ///< a chunk of a prompt attends to itself alone
  chunk_restarts_positions,   ///< positions count from the chunk
  padding_attended,           ///< short sequences attend to zeros up to the longest of the batch
  batch_reorders_sums,        ///< in a batch sums run in another order: rounding depends on neighbors
  adapter_of_first            ///< the whole batch gets the adapter of its first sequence
};
/// All of them, the right one first.
inline constexpr std::array<EngineFault, 14> all_engine_faults{EngineFault::none,
                                                               EngineFault::no_copy_on_write,
                                                               EngineFault::evicts_in_use,
                                                               EngineFault::stale_index,
                                                               EngineFault::key_without_prefix,
                                                               EngineFault::key_without_adapter,
                                                               EngineFault::partial_block_shared,
                                                               EngineFault::table_not_moved,
                                                               EngineFault::resumed_without_recompute,
                                                               EngineFault::chunk_forgets,
                                                               EngineFault::chunk_restarts_positions,
                                                               EngineFault::padding_attended,
                                                               EngineFault::batch_reorders_sums,
                                                               EngineFault::adapter_of_first};

/// Blocks of the cache of one sequence, in order, and how many slots of them are filled.
struct BlockTable {
  std::vector<std::size_t> blocks;  ///< numbers of blocks of the cache
  std::size_t length = 0;           ///< slots that are filled
};

/// A cache in blocks of slots that sequences share by counting references: branches until one writes (copy on write),
/// later prompts by a block's contents and all before it (prefix cache). Full blocks that nobody reads stay until room
/// is needed; then the one goes that was read longest ago. Source of the scheme: Kwon et al., "Efficient memory
/// management for large language model serving with PagedAttention", SOSP 2023.
class PagedCache {
 public:
  /// Misuse: no block, or blocks without a slot.
  PagedCache(std::size_t blocks, std::size_t block_size, EngineFault fault = EngineFault::none);

  /// Slots of a block.
  [[nodiscard]] std::size_t block_size() const noexcept { return block_size_; }
  /// Blocks that nobody reads, cached or not.
  [[nodiscard]] std::size_t free_blocks() const;
  /// Readers of a block.
  [[nodiscard]] std::size_t readers(std::size_t block) const { return blocks_[block].readers; }
  /// The slot of a position. Misuse: not filled.
  [[nodiscard]] const TinySlot& slot(const BlockTable& table, std::size_t position) const;
  /// Appends a slot, in a new block or a copy of a shared one where it must. False: no block is free; nothing changed.
  [[nodiscard]] bool append(BlockTable& table, const TinySlot& slot);
  /// A branch that shares all blocks.
  [[nodiscard]] BlockTable fork(const BlockTable& table);
  /// Nobody reads these any more through this table, which is empty then.
  void release(BlockTable& table);
  /// Remembers full blocks by all tokens up to their end, and the adapter.
  void remember(const BlockTable& table, std::span<const std::size_t> tokens, std::size_t adapter);
  /// The longest remembered beginning of the tokens, `most` slots at most, now read through the table that is returned.
  [[nodiscard]] BlockTable find_prefix(std::span<const std::size_t> tokens, std::size_t adapter, std::size_t most);

 private:
  using Key = std::pair<std::vector<std::size_t>, std::size_t>;
  struct Block {
    std::vector<TinySlot> slots;
    std::size_t readers = 0;
    std::uint64_t read = 0;  ///< when last
    std::optional<Key> key;  ///< by which it is found
  };
  [[nodiscard]] std::optional<std::size_t> take_block();
  [[nodiscard]] Key key_of(std::span<const std::size_t> tokens, std::size_t end, std::size_t adapter) const;

  std::size_t block_size_;
  EngineFault fault_;
  std::vector<Block> blocks_;
  std::map<Key, std::size_t> index_;
  std::uint64_t clock_ = 0;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/paged_cache.ipp"
#endif
