#pragma once

#include <functional>

#include "assay/collectives/in_process/in_process_options.hpp"
#include "assay/training/training_subject.hpp"

/// The in-process runtime for the tests of training, compiled once, in in_process_training.cpp: it takes five seconds.
namespace assay::testing {

TrainingSubject trained_in_process(int ranks, const InProcessOptions& world = {});
inline TrainingSubject trained_in_process(CollectiveAlgorithm algorithm, int ranks) {
  InProcessOptions world;
  world.algorithm = algorithm;
  return trained_in_process(ranks, world);
}

/// Calls `body` on as many ranks, each in a thread of its own.
void on_ranks(int ranks, const std::function<void(AnyCollective& collective, Coordinator& coordinator)>& body,
              CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring);

}  // namespace assay::testing
