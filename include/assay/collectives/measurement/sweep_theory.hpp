#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/measurement/sweep.hpp"
#include "assay/collectives/model/prediction.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// What measured points are held against.
struct SweepTheory {
  Topology topology;   ///< of as many ranks
  FittedRange fitted;  ///< empty: a description
  std::string source;  ///< "topology.txt", "the link measured by send_receive": for reports
};

/// Theory of equal ranks whose links nobody described: α and β are fitted to a sweep of send_receive among all ranks at
/// once, as the algorithms use the links; reductions count as free. A few seconds. Errors: as of `sweep`; `unsupported`
/// where there is no send_receive, `invalid` on one rank.
[[nodiscard]] Result<SweepTheory> measured_theory(AnyCollective& collective, Coordinator& coordinator,
                                                  SweepOptions options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/sweep_theory.ipp"
#endif
