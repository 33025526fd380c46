#include "assay/training/pipeline_parallel.hpp"

#include "testing/catch.hpp"
#include "training/in_process.hpp"
#include "training/small_training.hpp"

using namespace assay;

namespace {

TrainingOptions four_layers() {
  TrainingOptions options = testing::small_training();
  options.model.layers = 4;
  options.global_batch = 6;
  return options;
}

std::vector<PipelineRecord> computed(int ranks, const TrainingOptions& options,
                                     PipelineFault fault = PipelineFault::none, int faulty_rank = 1) {
  std::vector<PipelineRecord> records;
  testing::on_ranks(ranks, [&](AnyCollective& collective, Coordinator& coordinator) {
    const auto gathered = gather_pipeline(coordinator, run_pipeline(collective, options, fault, faulty_rank),
                                          deadline_after(options.deadline));
    if (collective.rank() == 0) records = gathered.value();
  });
  return records;
}

}  // namespace

TEST_CASE("a pipeline is the whole model, bit for bit, also where stages have no layer") {
  for (const int ranks : {1, 2, 3, 4, 6}) {
    const Outcome outcome = check_pipeline("in_process", four_layers(), computed(ranks, four_layers()));
    INFO(ranks << " stages: " << outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(outcome.label("parity") == "bitwise");
    CHECK(outcome.measurement("worst_error_ratio").value() > 0.01);
  }
}

TEST_CASE("another order of microbatches is within the bound, and no fault") {
  const TrainingOptions options = four_layers();
  std::vector<PipelineRecord> records = computed(2, options);
  const TrainingState state = initial_state(options, 0, 1);
  for (PipelineRecord& record : records) {  // from the last microbatch to the first
    std::vector<float> backwards(record.gradient.size(), 0.0f), gradient;
    for (Index m = options.global_batch; m-- > 0;) {
      double loss = 0, tokens = 0;
      detail::sample_gradient(options, state, m, gradient, loss, tokens);
      for (std::size_t i = 0; i < gradient.size(); ++i) backwards[i] += gradient[i];
    }
    record.gradient = backwards;
  }
  const Outcome outcome = check_pipeline("in_process", options, records);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("parity") == "bounded");
}

TEST_CASE("every fault of a pipeline is caught, and named with its stage") {
  for (const PipelineFault fault : all_pipeline_faults)
    for (const int ranks : {2, 3, 4})
      for (int stage = 0; stage < ranks; ++stage) {
        const Outcome outcome =
            check_pipeline("in_process", four_layers(), computed(ranks, four_layers(), fault, stage));
        INFO(name_of(fault) << " on stage " << stage << " of " << ranks << ": " << outcome.reason);
        CHECK(outcome.verdict == Verdict::fail);
        CHECK(outcome.label("named") == name_of(fault));
        CHECK_THAT(outcome.reason, testing::contains("stage " + std::to_string(stage) + " "));
        if (fault == PipelineFault::lost_microbatch) CHECK_THAT(outcome.reason, testing::contains("microbatch 3"));
      }
}

TEST_CASE("wrong values anywhere fail, and records that do not fit are errors") {
  const TrainingOptions options = four_layers();
  const auto records = computed(2, options);
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e9f}) {
    auto changed = records;
    changed[0].gradient[20] = wrong;
    CHECK(check_pipeline("in_process", options, changed).verdict == Verdict::fail);
    changed = records;
    changed[1].loss = static_cast<double>(wrong);
    CHECK(check_pipeline("in_process", options, changed).verdict == Verdict::fail);
  }
  auto changed = records;
  changed.pop_back();
  CHECK(check_pipeline("in_process", options, changed).verdict == Verdict::error);
  CHECK(check_pipeline("in_process", options, {}).verdict == Verdict::error);
  changed = records;
  changed[1].gradient.pop_back();
  CHECK(check_pipeline("in_process", options, changed).verdict == Verdict::error);
}
