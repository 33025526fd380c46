#pragma once

#include <string>
#include <utility>

#include "assay/backends/host.hpp"
#include "assay/faults/emulated_quantize.hpp"
#include "assay/faults/fault_corpus.hpp"
#include "assay/faults/unseen_faults.hpp"
#include "assay/validators/quantize_suite.hpp"

namespace assay::inline v0 {

/// Adds quantizers and dequantizers of float32: right ones in every variant, and their own faults. They cannot be
/// observed: what is right of codes is a set, not an interval.
void add_quantize_kernels(FaultCorpus& corpus, Host host);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/quantize_kernels.ipp"
#endif
