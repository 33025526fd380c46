#pragma once

#include "assay/telemetry/recorder.hpp"

#include <chrono>
#include <ctime>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/monotonic_time.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Recorder::Recorder(std::vector<AnySource> sources, RecorderOptions options)
    : sources_(std::move(sources)), options_(std::move(options)) {
  expect(options_.interval_seconds > 0, [&] {
    return "A recorder polls every " + std::to_string(options_.interval_seconds) + " s; give more than 0.";
  });
  for (const AnySource& source : sources_)
    first_sensor_.push_back(description_.add(source.devices(), source.sensors()));
  description_.started = wall_clock_text();
}

ASSAY_DETAIL_HEADER_INLINE std::int64_t Recorder::now() {
  return detail::monotonic_nanoseconds();
}

ASSAY_DETAIL_HEADER_INLINE std::string Recorder::wall_clock_text() {
  const std::time_t wall = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&wall, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

ASSAY_DETAIL_HEADER_INLINE void Recorder::start() {
  expect(threads_.empty() && !ending_, [] { return std::string("A recorder starts once; make another one."); });
  description_.started = wall_clock_text();
  description_.begin_nanoseconds = description_.end_nanoseconds = now();
  recording_ = description_;
  for (std::size_t source = 0; source < sources_.size(); ++source)
    threads_.emplace_back([this, source] { follow(source); });
}

ASSAY_DETAIL_HEADER_INLINE void Recorder::poll(std::size_t source) {
  std::vector<Reading> readings = sources_[source].poll();
  const std::vector<TelemetryEvent> events = sources_[source].take_events();
  for (Reading& reading : readings) reading.sensor += first_sensor_[source];
  const std::lock_guard lock(mutex_);
  if (options_.observer) options_.observer(readings, events);
  if (!options_.keep) return;
  for (Reading& reading : readings) recording_.add(std::move(reading));
  recording_.events.insert(recording_.events.end(), events.begin(), events.end());
}

ASSAY_DETAIL_HEADER_INLINE void Recorder::follow(std::size_t source) {
  using Clock = std::chrono::steady_clock;
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.interval_seconds));
  auto due = Clock::now();
  for (bool last = false;;) {
    poll(source);
    if (last) return;
    due += interval;
    if (due < Clock::now()) due = Clock::now();  // a slow poll is not made up for
    std::unique_lock lock(mutex_);
    last = wake_.wait_until(lock, due, [this] { return ending_; });
  }
}

ASSAY_DETAIL_HEADER_INLINE Recording Recorder::stop() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
  if (!threads_.empty() && recording_.end_nanoseconds < now()) recording_.end_nanoseconds = now();
  threads_.clear();
  return recording_;
}

ASSAY_DETAIL_HEADER_INLINE Recording Recorder::so_far() {
  const std::lock_guard lock(mutex_);
  Recording copy = recording_;
  copy.end_nanoseconds = now();
  return copy;
}

}  // namespace assay::inline v0
