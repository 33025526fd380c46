#pragma once

#include "assay/kernels/attention/detail/block_attention.hpp"

namespace assay::inline v0::detail {

/// Computes references on a device. `ErrorKind::unsupported` where its blocks have too little memory for it.
template <BlockBackend B>
[[nodiscard]] Result<void> block_attention_reference(B& backend, typename B::Stream& stream,
                                                     const AttentionProblem& problem, const AttentionLayout& layout,
                                                     const AttentionBound& bound, const AttentionResults& results) {
  Index queries = problem.storage == AttentionStorage::packed ? 0 : problem.queries;
  for (const Index length : problem.query_lengths) queries = queries > length ? queries : length;
  if (problem.heads == 0) return {};
  const Index tiles = (problem.heads / problem.key_heads * queries + BlockAttention::rows - 1) / BlockAttention::rows;
  const BlockAttention work{{layout, bound, results, QuickDecoder(problem.query), QuickDecoder(problem.key_value)},
                            tiles};
  return backend.parallel_blocks(stream, static_cast<std::size_t>(problem.batch * problem.key_heads * tiles), work);
}

}  // namespace assay::inline v0::detail
