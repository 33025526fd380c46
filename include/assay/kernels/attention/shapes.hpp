#pragma once

#include <vector>

#include "assay/formats/small_formats.hpp"
#include "assay/kernels/attention/problem.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// A block table that hands out pages backwards, with gaps, so that no page stands where it would by chance; unused
/// entries are −1.
void deal_pages(AttentionProblem& problem, Index page_size);

/// The default suite of attention: head counts, alignments, windows, biases, storages, and heads of real models, cut
/// where the reference would be dear.
[[nodiscard]] std::vector<OperationShape<AttentionProblem>> attention_shapes(const ElementFormat& format);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention/shapes.ipp"
#endif
