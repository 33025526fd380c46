#include "assay/suite/shard_from_environment.hpp"

#include <map>

#include "testing/catch.hpp"

using namespace assay;

namespace {

Result<Shard> shard_in(const std::map<std::string, std::string>& variables) {
  return shard_from_environment([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string told(const std::map<std::string, std::string>& variables) {
  const auto shard = shard_in(variables);
  return shard ? name_of(shard.value()) : shard.error().message;
}

}  // namespace

TEST_CASE("each scheduler's own way of counting gives the same parts") {
  CHECK(told({{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_COUNT", "4"}, {"SLURM_ARRAY_TASK_MIN", "5"}}) == "3/4");
  CHECK(told({{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_COUNT", "1"}, {"SLURM_ARRAY_TASK_MIN", "0"}}) == "1/1");
  CHECK(told({{"JOB_COMPLETION_INDEX", "0"}, {"ASSAY_SHARDS", "8"}}) == "1/8");
  CHECK(told({{"AWS_BATCH_JOB_ARRAY_INDEX", "9"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "10"}}) == "10/10");
  CHECK(told({{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "3"}}) == "2/3");
  CHECK(told({{"CIRCLE_NODE_INDEX", "2"}, {"CIRCLE_NODE_TOTAL", "3"}}) == "3/3");
  CHECK(told({{"BUILDKITE_PARALLEL_JOB", "1"}, {"BUILDKITE_PARALLEL_JOB_COUNT", "2"}}) == "2/2");
  CHECK(told({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}) == "4/4");
  CHECK(told({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"PMI_RANK", "1"}, {"PMI_SIZE", "4"}}) == "2/4");
}

TEST_CASE("processes of a member of an array share its part") {
  CHECK(told({{"SLURM_ARRAY_TASK_ID", "2"},
              {"SLURM_ARRAY_TASK_COUNT", "3"},
              {"SLURM_ARRAY_TASK_MIN", "1"},
              {"SLURM_PROCID", "0"},
              {"SLURM_STEP_NUM_TASKS", "2"}}) == "3/6");
  // A batch script that is not below srun is alone, whatever SLURM_PROCID says.
  CHECK(told({{"SLURM_ARRAY_TASK_ID", "2"},
              {"SLURM_ARRAY_TASK_COUNT", "3"},
              {"SLURM_ARRAY_TASK_MIN", "1"},
              {"SLURM_PROCID", "0"},
              {"SLURM_NTASKS", "2"}}) == "2/3");
}

TEST_CASE("what would drop cases is refused") {
  CHECK(shard_in({}).error().kind == ErrorKind::not_found);
  CHECK(shard_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).error().kind == ErrorKind::not_found);
  CHECK_THAT(told({{"JOB_COMPLETION_INDEX", "0"}}), testing::contains("set ASSAY_SHARDS"));
  CHECK_THAT(told({{"JOB_COMPLETION_INDEX", "4"}, {"ASSAY_SHARDS", "4"}}), testing::contains("without steps or gaps"));
  CHECK_THAT(told({{"SLURM_ARRAY_TASK_ID", "5"}, {"SLURM_ARRAY_TASK_COUNT", "3"}, {"SLURM_ARRAY_TASK_MIN", "1"}}),
             testing::contains("without steps or gaps"));
  CHECK_THAT(told({{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "3"}}), testing::contains("lowest index 1"));
  CHECK_THAT(told({{"CI_NODE_INDEX", "one"}, {"CI_NODE_TOTAL", "3"}}), testing::contains("CI_NODE_INDEX is 'one'"));
  CHECK_THAT(told({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}),
             testing::contains("give --shard i/n"));
}
