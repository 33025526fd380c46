#include "distribution.hpp"

#if defined(ASSAY_HAS_MPI)

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/mpi_session.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/suite/distributed_runner.hpp"
#include "assay/suite/isolated_runner.hpp"
#include "assay/suite/mpi_channel.hpp"
#include "assay/suite/runner.hpp"
#include "assay/suite/serve_distributed.hpp"
#include "assembled_suite.hpp"
#include "fault.hpp"
#include "isolation.hpp"
#include "suites/instruction_sets.hpp"
#include "suites/plugins.hpp"

namespace assay_program {

struct Distribution::Job {
  assay::MpiSession session;
  assay::MpiChannel channel;
};

assay::Result<Distribution> Distribution::open() {
  auto session = assay::MpiSession::open(assay::MpiThreads::funneled);
  if (!session) return session.propagate();
  auto channel = assay::MpiChannel::open();
  if (!channel) return channel.propagate();
  if (channel.value().size() < 2)
    return assay::failure(
        assay::ErrorKind::invalid,
        "--distribute mpi was started as 1 process; start it by mpirun with one process more than there shall be "
        "workers, such as mpirun -n 9 assay run --distribute mpi");
  return Distribution(std::make_unique<Job>(Job{std::move(session).value(), std::move(channel).value()}));
}

bool Distribution::deals() const {
  return job_->channel.rank() == 0;
}

assay::Run Distribution::run(const assay::Suite& chosen, const assay::RunOptions& options, OpenEndedConsole& console) {
  std::vector<std::size_t> positions;
  for (std::size_t position = 0; position < chosen.size(); ++position) positions.push_back(position);
  assay::Environment environment = environment_of(backends_of(chosen));
  environment.libraries.push_back(assay::MpiSession::library());
  return assay::run_distributed(chosen, positions, options, {}, std::move(environment), console, job_->channel);
}

int Distribution::serve(const CommandLine& line, const assay::Suite& chosen, const assay::RunOptions& options) {
  AssembledSuite assembled;
  std::map<std::string, std::size_t> places;
  if (!line.isolate) {
    auto ready = assemble_suite(line, backends_of(chosen));
    if (!ready) return fault(ready.error().message);
    assembled = std::move(ready).value();
    for (std::size_t place = 0; place < assembled.cases.size(); ++place) places[assembled.cases[place].id] = place;
  }
  const auto perform = [&](const assay::Suite& suite, std::size_t position) {
    const assay::Case& entry = suite[position];
    const std::string& backend = entry.labels.at("backend");
    const std::string environment = environment_of_backend(backend);
    assay::NullObserver observer;
    if (tells_of_unusable_plugin(entry))
      return assay::run_suite(suite, {position}, options, {}, observer).outcomes.at(0);
    if (line.isolate || !environment.empty())
      return assay::run_isolated(suite, {position}, options, isolation_options(line, {backend}, environment), {},
                                 observer)
          .outcomes.at(0);
    return assay::run_suite(assembled.cases, {places.at(entry.id)}, options, {}, observer).outcomes.at(0);
  };
  const auto served = assay::serve_distributed(chosen, perform, assay::detect_environment().host_name, job_->channel);
  return served ? 0 : fault(served.error().message);
}

Distribution::Distribution(std::unique_ptr<Job> job) : job_(std::move(job)) {}

}  // namespace assay_program

#else

namespace assay_program {

struct Distribution::Job {};

assay::Result<Distribution> Distribution::open() {
  return assay::failure(
      assay::ErrorKind::unsupported,
      "this program was built without MPI; install libopenmpi-dev and build it again, or use --shard and assay merge");
}
bool Distribution::deals() const {
  return false;
}
assay::Run Distribution::run(const assay::Suite&, const assay::RunOptions&, OpenEndedConsole&) {
  return {};
}
int Distribution::serve(const CommandLine&, const assay::Suite&, const assay::RunOptions&) {
  return 2;
}

}  // namespace assay_program

#endif

namespace assay_program {

Distribution::Distribution(Distribution&&) noexcept = default;
Distribution::~Distribution() = default;

}  // namespace assay_program
