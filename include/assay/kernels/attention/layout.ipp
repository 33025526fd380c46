#pragma once

#include "assay/kernels/attention/layout.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE AttentionLayout::AttentionLayout(const AttentionProblem& problem, const OperandArray& given)
    : batch(problem.batch),
      heads(problem.heads),
      key_heads(problem.key_heads),
      queries(problem.queries),
      keys(problem.keys),
      depth(problem.depth),
      value_depth(problem.value_depth),
      page_size(problem.page_size),
      window_left(problem.window_left),
      window_right(problem.window_right),
      scale(problem.scale > 0 ? problem.scale : 1 / std::sqrt(static_cast<double>(problem.depth))),
      soft_cap(problem.soft_cap),
      causal(problem.causal),
      bottom_right(problem.alignment == AttentionAlignment::bottom_right),
      zeros(problem.fully_masked == FullyMasked::zeros),
      lengths_given(!problem.key_lengths.empty()),
      base_two(problem.log_base == LogarithmBase::two),
      mask_shared(problem.additive_mask == AdditiveMask::shared),
      storage(problem.storage),
      key_value_scale(problem.key_value_scale),
      operands(given) {}

}  // namespace assay::inline v0
