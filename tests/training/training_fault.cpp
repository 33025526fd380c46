#include "assay/training/training_fault.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("faults of training have names of their own that lead back to them") {
  std::set<std::string_view> names;
  for (const TrainingFault fault : all_training_faults) {
    names.insert(name_of(fault));
    CHECK(training_fault_named(name_of(fault)) == fault);
  }
  CHECK(names.size() == all_training_faults.size());
  CHECK(name_of(TrainingFault::unknown) == "unknown");
  CHECK(!training_fault_named("none"));
  CHECK(!training_fault_named(""));
  for (const PipelineFault fault : all_pipeline_faults) names.insert(name_of(fault));
  for (const TensorParallelFault fault : all_tensor_parallel_faults) names.insert(name_of(fault));
  CHECK(names.size() == all_training_faults.size() + all_pipeline_faults.size() - 1 +
                            all_tensor_parallel_faults.size());  // lost_microbatch stands twice
}
