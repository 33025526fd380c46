#include "assay/collectives/verification/determinism_level.hpp"

static_assert(assay::name_of(assay::DeterminismLevel::none) == "none");
static_assert(assay::name_of(assay::DeterminismLevel::across_splits) == "across_splits");
static_assert(assay::DeterminismLevel::across_ranks < assay::DeterminismLevel::run_to_run);
