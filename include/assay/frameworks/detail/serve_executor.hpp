#pragma once

#include <unistd.h>

#include <string>
#include <utility>

#include "assay/core/process/executed_worker.hpp"
#include "assay/core/result.hpp"
#include "assay/frameworks/detail/door_message.hpp"

namespace assay::inline v0::detail {

/// Answers a `DoorWorker` with the `GraphExecutor` that `open` gives, or with why it does not, until it hangs up. A
/// runtime that hangs ends then, too.
template <class Open>
[[nodiscard]] int serve_executor(const Open& open) {
  leave_with_channel(door_channel);
  auto runtime = open();
  const auto told = [](DoorAnswer& answer, const Error& error) {
    answer.failed = true;
    answer.kind = error.kind;
    answer.message = error.message;
  };
  for (std::string bytes; receive_door_message(door_channel, bytes);) {
    DoorRequest request;
    ByteReader reader(bytes);
    reader(request);
    DoorAnswer answer;
    if (!reader.complete()) {
      told(answer, {ErrorKind::malformed, "the request cannot be read"});
    } else if (!runtime) {
      told(answer, runtime.error());
    } else if (request.describe) {
      if (auto description = runtime.value().describe())
        answer.description = std::move(description).value();
      else
        told(answer, description.error());
    } else if (auto run = runtime.value().run(request.program, request.inputs)) {
      answer.run = std::move(run).value();
    } else {
      told(answer, run.error());
    }
    ByteWriter writer;
    writer(answer);
    if (!send_door_message(door_channel, writer.take())) return 1;
  }
  ::_exit(0);  // destructors of runtimes hang and crash
}

}  // namespace assay::inline v0::detail
