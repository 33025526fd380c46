#pragma once

#include "assay/training/in_process_training.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE TrainingSubject in_process_training(int ranks, const InProcessOptions& world) {
  return {"in_process." + std::string(name_of(world.algorithm)), ranks,
          [ranks, world](const TrainingOptions& options) -> Result<std::vector<TrainingTrace>> {
            expect_valid(options);
            std::vector<TrainingTrace> traces(static_cast<std::size_t>(ranks));
            std::vector<Result<void>> ends(static_cast<std::size_t>(ranks));
            run_ranks(InProcessWorld(ranks, world), [&](InProcessCollective& end) {
              AnyCollective collective(end);
              const auto rank = static_cast<std::size_t>(collective.rank());
              auto trained = train(collective, options);
              if (trained)
                traces[rank] = std::move(trained).value();
              else
                ends[rank] = trained.propagate();
            });
            for (std::size_t rank = 0; rank < ends.size(); ++rank)
              if (!ends[rank])
                return failure(ends[rank].error().kind,
                               "rank " + std::to_string(rank) + ": " + ends[rank].error().message);
            return traces;
          }};
}

}  // namespace assay::inline v0
