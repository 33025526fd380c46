#pragma once

#include "assay/core/index.hpp"
#include "assay/fleet/capacity/model_architecture.hpp"

namespace assay::inline v0 {

inline constexpr Index most_cached_tokens = Index{1} << 40;  ///< of a sequence; more is nobody's

/// How keys and values are kept.
struct KvCachePolicy {
  double key_bytes = 2, value_bytes = 2;  ///< an element, scales of blocks included (`StorageFormat`)
  Index block = 1;                        ///< tokens a page: each sequence fills its last one in part; 1: no pages
  Index tensor_parallel = 1;              ///< ranks that share the heads; latent attention keeps all on each
  bool windows = true;                    ///< sliding layers keep their window only; false: all tokens, as plain caches
  Index extra_cells = 0;                  ///< that sliding layers keep beside their window (a batch of a prompt)
  double state_bytes = 4;                 ///< an element of a recurrent layer's state
};

/// What sequences keep, on one rank.
struct KvCacheSize {
  double keys = 0;    ///< bytes; of latent attention all
  double values = 0;  ///< bytes
  double states = 0;  ///< bytes of recurrent layers, whatever the length
  double waste = 0;   ///< bytes of `keys` and `values` that no token fills

  /// Bytes.
  [[nodiscard]] double total() const noexcept { return keys + values + states; }
};

/// Error `invalid`: a block or a rank below 1, heads that `tensor_parallel` neither divides nor is a multiple of.
[[nodiscard]] Result<void> check(const ModelArchitecture& model, const KvCachePolicy& policy);

/// What `sequences` of `tokens` each keep. Precondition: `check` of both is well; neither is negative. O(layers).
[[nodiscard]] KvCacheSize kv_cache(const ModelArchitecture& model, Index sequences, Index tokens,
                                   const KvCachePolicy& policy = {});

/// What one more token costs while nothing slides out: bytes on one rank. O(layers).
[[nodiscard]] double kv_bytes_per_token(const ModelArchitecture& model, const KvCachePolicy& policy = {});

/// How many tokens one sequence can hold in so many bytes, by whole blocks; at most 2^40. O(layers).
[[nodiscard]] Index kv_tokens_within(const ModelArchitecture& model, double bytes, const KvCachePolicy& policy = {});

/// How many sequences of `tokens` fit. O(layers).
[[nodiscard]] Index kv_sequences_within(const ModelArchitecture& model, double bytes, Index tokens,
                                        const KvCachePolicy& policy = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/capacity/kv_cache.ipp"
#endif
