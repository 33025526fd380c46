#pragma once

#include "assay/kernels/attention/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_lengths(const char* name, const std::vector<Index>& lengths,
                                                                    Index count, Index most) {
  if (static_cast<Index>(lengths.size()) != count)
    return failure(ErrorKind::invalid, std::string(name) + " has " + std::to_string(lengths.size()) +
                                           " entries; there must be one for each of " + std::to_string(count) +
                                           " sequences");
  for (std::size_t b = 0; b < lengths.size(); ++b)
    if (lengths[b] < 0 || lengths[b] > most)
      return failure(ErrorKind::invalid, std::string(name) + "[" + std::to_string(b) + "] is " +
                                             std::to_string(lengths[b]) + "; it must be between 0 and " +
                                             std::to_string(most));
  return {};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_pages(const AttentionProblem& problem) {
  if (problem.page_size < 1)
    return failure(ErrorKind::invalid,
                   "page_size is " + std::to_string(problem.page_size) + "; a paged cache needs 1 or more");
  if (problem.pages < 0)
    return failure(ErrorKind::invalid, "pages is " + std::to_string(problem.pages) + "; it must be 0 or more");
  const Index most = Index{1} << 31;  // entries of the table are 32 bits
  for (const auto& [name, value] : {std::pair{"page_size", problem.page_size}, {"pages", problem.pages}})
    if (value >= most)
      return failure(ErrorKind::invalid,
                     std::string(name) + " is " + std::to_string(value) + "; it must be below 2^31");
  const Index columns = problem.pages_of_sequence();
  if (static_cast<Index>(problem.block_table.size()) != problem.batch * columns)
    return failure(ErrorKind::invalid, "block_table has " + std::to_string(problem.block_table.size()) +
                                           " entries; batch times ceil(keys / page_size) is " +
                                           std::to_string(problem.batch * columns));
  for (Index b = 0; b < problem.batch; ++b)
    for (Index page = 0; page * problem.page_size < problem.key_lengths[static_cast<std::size_t>(b)]; ++page) {
      const Index entry = problem.block_table[static_cast<std::size_t>(b * columns + page)];
      if (entry < 0 || entry >= problem.pages)
        return failure(ErrorKind::invalid, "block_table[" + std::to_string(b) + "][" + std::to_string(page) + "] is " +
                                               std::to_string(entry) + "; the cache has pages 0 to " +
                                               std::to_string(problem.pages - 1));
    }
  return {};
}

/// The extents of packed tokens and of caches, whose numbers the lengths and pages tell.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_tokens(const AttentionProblem& problem) {
  const Index depth = problem.depth > problem.value_depth ? problem.depth : problem.value_depth;
  if (problem.storage == AttentionStorage::paged)
    return check_extents({{"pages", problem.pages},
                          {"page_size", problem.page_size},
                          {"key_heads", problem.key_heads},
                          {"depth", depth}});
  if (problem.storage == AttentionStorage::dense) return {};
  if (auto extents =
          check_extents({{"query_lengths", sum_of(problem.query_lengths)}, {"heads", problem.heads}, {"depth", depth}});
      !extents)
    return extents;
  return check_extents(
      {{"key_lengths", sum_of(problem.key_lengths)}, {"key_heads", problem.key_heads}, {"depth", depth}});
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const AttentionProblem& problem) {
  const Index most = Index{1} << 31;
  for (const auto& [name, value] : {std::pair{"batch", problem.batch},
                                    {"heads", problem.heads},
                                    {"key_heads", problem.key_heads},
                                    {"queries", problem.queries},
                                    {"keys", problem.keys},
                                    {"depth", problem.depth},
                                    {"value_depth", problem.value_depth}})
    if (value < 0 || value >= most)
      return failure(ErrorKind::invalid,
                     std::string(name) + " is " + std::to_string(value) + "; it must be 0 or more and below 2^31");
  if (problem.depth == 0) return failure(ErrorKind::invalid, "depth is 0; it must be 1 or more");
  if (problem.key_heads == 0 ? problem.heads != 0 : problem.heads % problem.key_heads != 0)
    return failure(ErrorKind::invalid, "key_heads is " + std::to_string(problem.key_heads) +
                                           ", which does not divide heads = " + std::to_string(problem.heads));
  if (auto extents = check_extents(
          {{"batch", problem.batch}, {"heads", problem.heads}, {"queries", problem.queries}, {"depth", problem.depth}});
      !extents)
    return extents;
  if (auto extents = check_extents(
          {{"batch", problem.batch}, {"heads", problem.heads}, {"queries", problem.queries}, {"keys", problem.keys}});
      !extents)
    return extents;
  if (auto extents = check_extents({{"batch", problem.batch},
                                    {"key_heads", problem.key_heads},
                                    {"keys", problem.keys},
                                    {"value_depth", problem.value_depth}});
      !extents)
    return extents;
  if (!(problem.scale >= 0) || !is_finite(problem.scale))
    return failure(ErrorKind::invalid, "scale is " + plain_number(problem.scale) +
                                           "; it must be finite and above 0, or 0 for 1/sqrt(depth)");
  if (!(problem.soft_cap >= 0) || !is_finite(problem.soft_cap))
    return failure(ErrorKind::invalid,
                   "soft_cap is " + plain_number(problem.soft_cap) + "; it must be finite and above 0, or 0 for none");
  if (problem.window_left < -1)
    return failure(ErrorKind::invalid, "window_left is " + std::to_string(problem.window_left) +
                                           "; it must be 0 or more, or -1 for no limit");
  if (problem.window_right < -1)
    return failure(ErrorKind::invalid, "window_right is " + std::to_string(problem.window_right) +
                                           "; it must be 0 or more, or -1 for no limit");
  if (problem.additive_mask != AdditiveMask::none && problem.storage != AttentionStorage::dense)
    return failure(ErrorKind::invalid, "additive_mask needs dense storage");
  if (problem.storage == AttentionStorage::packed) {
    for (const auto& [name, lengths] :
         {std::pair{"query_lengths", &problem.query_lengths}, std::pair{"key_lengths", &problem.key_lengths}}) {
      if (auto checked = detail::check_lengths(name, *lengths, problem.batch, most - 1); !checked) return checked;
      if (detail::sum_of(*lengths) >= most)
        return failure(ErrorKind::invalid, std::string(name) + " add up to " +
                                               std::to_string(detail::sum_of(*lengths)) +
                                               "; positions of tokens are 32 bits, so that it must be below 2^31");
    }
  } else {
    if (!problem.query_lengths.empty()) return failure(ErrorKind::invalid, "query_lengths are for packed storage only");
    if (problem.storage == AttentionStorage::paged || !problem.key_lengths.empty())
      if (auto lengths = detail::check_lengths("key_lengths", problem.key_lengths, problem.batch, problem.keys);
          !lengths)
        return lengths;
    if (problem.storage == AttentionStorage::paged)
      if (auto pages = detail::check_pages(problem); !pages) return pages;
  }
  if (auto extents = detail::check_tokens(problem); !extents) return extents;
  return check_float_formats({{"query", problem.query},
                              {"key_value", problem.key_value},
                              {"output", problem.output},
                              {"weights", problem.weights},
                              {"scores", problem.scores}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const AttentionProblem& problem) {
  std::string name = "b" + std::to_string(problem.batch) + "h" + std::to_string(problem.heads);
  if (problem.key_heads != problem.heads) name += "k" + std::to_string(problem.key_heads);
  if (problem.storage == AttentionStorage::packed)
    name += "-packed" + std::to_string(detail::sum_of(problem.query_lengths)) + "x" +
            std::to_string(detail::sum_of(problem.key_lengths));
  else
    name += "-q" + std::to_string(problem.queries) + "x" + std::to_string(problem.keys);
  if (problem.storage == AttentionStorage::paged) name += "-pages" + std::to_string(problem.page_size);
  if (problem.storage == AttentionStorage::dense && !problem.key_lengths.empty()) name += "-ragged";
  name += "-d" + std::to_string(problem.depth);
  if (problem.value_depth != problem.depth) name += "v" + std::to_string(problem.value_depth);
  if (problem.scale != 0) name += "-scale" + plain_number(problem.scale);
  const char* diagonal = problem.alignment == AttentionAlignment::top_left ? "_tl" : "_br";
  if (problem.causal) name += std::string("-causal") + diagonal;
  if (problem.window_left >= 0 || problem.window_right >= 0)
    name += "-window" + std::to_string(problem.window_left) + "_" + std::to_string(problem.window_right) +
            (problem.causal ? "" : diagonal);
  if (problem.alibi) name += "-alibi";
  if (problem.soft_cap != 0) name += "-cap" + plain_number(problem.soft_cap);
  if (problem.additive_mask != AdditiveMask::none)
    name += problem.additive_mask == AdditiveMask::shared ? "-mask" : "-mask_per_head";
  if (problem.key_value_scale != KeyValueScale::none)
    name += problem.key_value_scale == KeyValueScale::per_tensor ? "-scaled" : "-scaled_per_head";
  if (problem.fully_masked == FullyMasked::nan) name += "-masked_nan";
  if (problem.log_base == LogarithmBase::two) name += "-log2";
  return name;
}

}  // namespace assay::inline v0
