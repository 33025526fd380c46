#include "assay/training/tensor_parallel.hpp"

#include "testing/catch.hpp"
#include "training/in_process.hpp"

using namespace assay;

namespace {

std::vector<TensorParallelRecord> computed(int ranks, const TensorParallelOptions& options,
                                           TensorParallelFault fault = TensorParallelFault::none,
                                           CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring) {
  std::vector<TensorParallelRecord> records;
  testing::on_ranks(
      ranks,
      [&](AnyCollective& collective, Coordinator& coordinator) {
        const auto gathered = gather_tensor_parallel(coordinator, run_tensor_parallel(collective, options, fault),
                                                     deadline_after(options.deadline));
        if (collective.rank() == 0) records = gathered.value();
      },
      algorithm);
  return records;
}

}  // namespace

TEST_CASE("a perceptron split over ranks is the whole one") {
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms)
    for (const int ranks : {1, 2, 3, 4, 8}) {
      TensorParallelOptions options;
      options.seed = static_cast<std::uint64_t>(ranks);
      const Outcome outcome =
          check_tensor_parallel("in_process", options, computed(ranks, options, TensorParallelFault::none, algorithm));
      INFO(ranks << " ranks: " << outcome.reason);
      CHECK(outcome.verdict == Verdict::pass);
      CHECK(outcome.measurement("worst_error_ratio").value() > 1e-4);
      CHECK(outcome.measurement("worst_error_ratio").value() < 0.9);
    }
  TensorParallelOptions few;
  few.hidden = 3;  // a rank without a unit
  CHECK(check_tensor_parallel("in_process", few, computed(4, few)).verdict == Verdict::pass);
}

TEST_CASE("every fault of a split perceptron is caught and named") {
  for (const TensorParallelFault fault : all_tensor_parallel_faults)
    for (const int ranks : {2, 3, 4}) {
      const TensorParallelOptions options;
      const Outcome outcome = check_tensor_parallel("in_process", options, computed(ranks, options, fault));
      INFO(name_of(fault) << ", " << ranks << " ranks: " << outcome.reason);
      CHECK(outcome.verdict == Verdict::fail);
      CHECK(outcome.label("named") == name_of(fault));
      if (fault == TensorParallelFault::boundary_off_by_one) CHECK_THAT(outcome.reason, testing::contains("rank 1"));
      if (fault == TensorParallelFault::shard_of_another) CHECK_THAT(outcome.reason, testing::contains("rank 1"));
    }
}

TEST_CASE("wrong bits anywhere fail, and records that do not fit are errors") {
  const TensorParallelOptions options;
  const auto records = computed(3, options);
  const auto judged = [&](const std::function<void(std::vector<TensorParallelRecord>&)>& change) {
    auto changed = records;
    change(changed);
    return check_tensor_parallel("in_process", options, changed);
  };
  CHECK(judged([](auto& r) { r[1].output[7] = std::nextafter(r[1].output[7], 9.0f); }).reason ==
        "rank 1 has other bits of the output than rank 0");
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e9f})
    for (auto member : {&TensorParallelRecord::output, &TensorParallelRecord::input_gradient,
                        &TensorParallelRecord::up_gradient, &TensorParallelRecord::up_bias_gradient,
                        &TensorParallelRecord::down_gradient, &TensorParallelRecord::down_bias_gradient})
      CHECK(judged([&](auto& r) { (r[2].*member)[3] = wrong; }).verdict == Verdict::fail);
  CHECK(judged([](auto& r) { r.clear(); }).verdict == Verdict::error);
  CHECK(judged([](auto& r) { r.pop_back(); }).verdict == Verdict::error);
  CHECK(judged([](auto& r) { r[1].up_gradient.pop_back(); }).verdict == Verdict::error);
}
