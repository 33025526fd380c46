#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// How storage is measured: as checkpoints write it and loaders read it.
struct StorageOptions {
  std::filesystem::path folder;                ///< where the file is made, and removed again
  std::size_t bytes = std::size_t{256} << 20;  ///< of the file; a multiple of 1 MiB is taken
  std::size_t random_reads = 1000;             ///< of 4 KiB
  std::uint64_t seed = 1;                      ///< of the content and of the places of random reads
  /// Called with the file after it is written and before it is read: where tests of the check damage it. May be empty.
  std::function<void(const std::filesystem::path&)> after_write;
};

/// Outcomes `hardware/bandwidth/storage/…`: sequential_write (with fsync, as a checkpoint is safe), sequential_read,
/// random_read, and the same past the page cache, direct_write, direct_read, direct_random_read: unsupported where the
/// file system has no direct access. Every byte that is read is compared with what its place must hold. What the page
/// cache holds is dropped before sequential and random reads, as far as the system does so; the outcome says that it is
/// a wish. Error: a folder that cannot be written, a full medium.
[[nodiscard]] std::vector<Outcome> check_storage(const StorageOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/bandwidth/storage.ipp"
#endif
