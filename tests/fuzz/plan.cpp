#include "assay/release/certification_plan.hpp"

#include <cstddef>
#include <vector>

#include "assay/release/certification_policy.hpp"
#include "assay/release/policy_file.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// What a plan says is a folder's name, a time, a command with a place: whoever wrote it.
void plan(std::string_view text) {
  const Result<CertificationPlan> read = parse_plan(text);
  if (!read) return fuzz::promise_message(read.error().message);
  fuzz::promise(!read.value().stages.empty(), "a plan has stages");
  for (const PlanStage& stage : read.value().stages) {
    fuzz::promise(!stage.name.empty() && stage.name.find('/') == stage.name.npos && stage.name.front() != '.',
                  "a stage's folder lies below evidence");
    fuzz::promise(stage.minutes > 0 && !stage.command.empty(), "a stage has a command and a time");
    fuzz::promise(!stage.everywhere || !stage.divided(), "a stage runs everywhere or in parts");
  }
  const std::size_t shards = 3, stages = read.value().stages.size();
  std::vector<std::size_t> times(stages, 0);
  for (std::size_t index = 1; index <= shards; ++index)
    for (const std::size_t place : stages_of_shard(read.value(), {index, shards})) ++times.at(place);
  for (std::size_t place = 0; place < stages; ++place) {
    const PlanStage& stage = read.value().stages[place];
    fuzz::promise(times[place] == (stage.everywhere || stage.divided() ? shards : 1),
                  "no stage is lost between shards");
  }
  static const GatePolicy policy = parse_policy(certification_policy).value();
  const Result<GatePolicy> counted = policy_for(read.value(), policy);
  if (!counted) return fuzz::promise_message(counted.error().message);
  fuzz::promise(read.value().rows.empty() || !counted.value().gates.empty(), "rows name gates");
}

const fuzz::Registration registration_of_plan("plan", plan);

}  // namespace
