#pragma once

#include "assay/frameworks/door/door_worker.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/frameworks/detail/door_process.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE DoorWorker::DoorWorker(std::vector<std::string> command, double seconds) {
  expect(!command.empty(), [] { return "a DoorWorker was made without a command; give the program that serves"; });
  process_ = std::make_unique<detail::DoorProcess>(std::move(command), seconds);
}
ASSAY_DETAIL_HEADER_INLINE DoorWorker::DoorWorker(DoorWorker&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE DoorWorker& DoorWorker::operator=(DoorWorker&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE DoorWorker::~DoorWorker() = default;

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> DoorWorker::describe() {
  detail::DoorRequest request;
  request.describe = true;
  auto answer = process_->ask(request);
  if (!answer) return answer.propagate();
  return std::move(answer.value().description);
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> DoorWorker::run(const GraphProgram& program,
                                                            const std::vector<GraphTensor>& inputs) {
  auto answer = process_->ask({false, program, inputs});
  if (!answer) return answer.propagate();
  return std::move(answer.value().run);
}

}  // namespace assay::inline v0
