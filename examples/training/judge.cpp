// components: boost_math
#include "assay/training/check_convergence_parity.hpp"
#include "training.hpp"

using namespace assay;

std::vector<Outcome> judge(const TrainingSubject& subject, const Request& request) {
  std::vector<Outcome> outcomes;
  ParityOptions options;
  options.training.steps = request.steps;
  options.pairs = request.seeds;
  if (!request.faults) {
    outcomes.push_back(check_convergence_parity(subject, options));
    if (subject.ranks == 1) return outcomes;
    options.training.gradient_type = ElementType::bfloat16;
    outcomes.push_back(check_convergence_parity(subject, options));
    options.training.gradient_type = ElementType::float32;
    options.training.sharding = StateSharding::weights;
    outcomes.push_back(check_convergence_parity(subject, options));
    return outcomes;
  }
  for (const TrainingFault fault : all_training_faults) {
    options.training.fault = fault;
    const bool of_shards = fault == TrainingFault::shard_off_by_one || fault == TrainingFault::missing_all_gather;
    options.training.sharding = of_shards ? StateSharding::optimizer_state : StateSharding::none;
    outcomes.push_back(check_convergence_parity(subject, options));
  }
  return outcomes;
}
