#pragma once

#include "assay/core/process/run_program.hpp"

#include "assay/core/config.hpp"
#include "assay/core/process/executed_worker.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<ProgramRun> run_program(const std::vector<std::string>& arguments, double seconds) {
  WorkerCommand command{arguments};
  command.channel = false;
  command.ends_with_thread = true;
  auto worker = ExecutedWorker::start(command);
  if (!worker) return worker.propagate();
  ProgramRun run;
  run.ending = worker.value().wait(deadline_in(seconds));
  run.output = worker.value().output().last(std::size_t{16} << 20);
  return run;
}

}  // namespace assay::inline v0::detail
