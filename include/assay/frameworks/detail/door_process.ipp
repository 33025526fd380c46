#pragma once

#include "assay/frameworks/detail/door_process.hpp"

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<DoorAnswer> DoorProcess::ask(const DoorRequest& request) {
  const std::lock_guard<std::mutex> lock(asking_);
  const std::int64_t deadline = deadline_in(seconds_);
  if (!worker_) {
    auto started = ExecutedWorker::start({command_});
    if (!started) return started.propagate();
    worker_ = std::move(started).value();
  }
  ByteWriter writer;
  writer(request);
  const auto bytes = worker_->ask(writer.take(), deadline, longest_door_message);
  DoorAnswer answer;
  if (bytes) {
    ByteReader reader(bytes.value());
    reader(answer);
    if (reader.complete()) {
      if (answer.failed) return failure(answer.kind, answer.message);
      return answer;
    }
  }
  const Ending ended = worker_->end();
  const std::string words = last_words(worker_->output()), tail = words.empty() ? "" : "; its last words: " + words;
  worker_.reset();
  if (bytes || bytes.error().kind == ErrorKind::malformed)
    return failure(ErrorKind::malformed, "the process of the runtime sent what is no answer");
  if (bytes.error().kind == ErrorKind::timed_out)
    return failure(ErrorKind::timed_out, "the process of the runtime did not answer within " +
                                             printed_number(seconds_, 4) + " s and was killed" + tail);
  if (ended.kind == Ending::Kind::channel)
    return failure(ErrorKind::device, "the process of the runtime closed its channel, and was killed" + tail);
  return failure(ErrorKind::device, "the process of the runtime ended: " + description_of(ended) + tail);
}

}  // namespace assay::inline v0::detail
