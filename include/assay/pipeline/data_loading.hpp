#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// What a loader handed out in one epoch.
struct LoadedEpoch {
  std::vector<std::int64_t> samples;     ///< ids, in the order of batches
  std::vector<std::uint64_t> checksums;  ///< of the samples' data, as many; none: not looked at
  double seconds = 0;                    ///< of the epoch; 0: not timed
  double stalled_seconds = 0;            ///< in which the consumer waited
};

/// What a loader promises.
struct LoaderPromise {
  std::vector<std::int64_t> dataset;  ///< ids that there are
  bool in_order = false;              ///< in the dataset's order
  bool drops_last = false;            ///< up to `batch` − 1 samples may be missing at the end
  std::size_t batch = 1;              ///< samples that are handed out at a time
  bool deterministic = true;          ///< the same seed gives the same order and data for any number of workers
};

/// Holds epochs to the promise: coverage (nothing missing, nothing twice, nothing that is not in the dataset), order,
/// and that all epochs, which were loaded with the same seed by different workers or on different nodes, are the same.
/// Outcomes `pipeline/<name>/coverage`, `/order`, `/determinism`; samples a second and the share stalled are
/// measurements where epochs were timed. A check that the promise leaves out is `skipped`; determinism of one epoch is
/// `inconclusive`, and so are all checks where the dataset is empty or no epoch has a sample, unless one fails.
/// O(n log n). Misuse: a batch of 0.
[[nodiscard]] std::vector<Outcome> check_loading(const std::string& name, const LoaderPromise& promise,
                                                 const std::vector<LoadedEpoch>& epochs);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/pipeline/data_loading.ipp"
#endif
