#include "assay/collectives/verification/collective_check_options.hpp"

// More than determinism that every training run needs is asked for by nobody who does not say so.
static_assert(assay::CollectiveCheckOptions{}.required_determinism == assay::DeterminismLevel::across_ranks);
static_assert(assay::CollectiveCheckOptions{}.calls > 1, "what is left over from a call before shows in the next");
