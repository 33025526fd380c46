#pragma once

#include "assay/telemetry/worker_source.hpp"

#include <charconv>
#include <optional>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/telemetry/detail/reading_worker.hpp"
#include "assay/telemetry/detail/shared_library.hpp"

namespace assay::inline v0 {

namespace detail {

template <class Number>
[[nodiscard]] std::optional<Number> number_field(const std::string& text) {
  Number value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// What a worker says of itself when it has started.
struct WorkerDescription {
  std::string name;
  std::vector<TelemetryDevice> devices;
  std::vector<Sensor> sensors;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<WorkerDescription> receive_description(ReadingWorker& worker,
                                                                                       double seconds) {
  const std::int64_t deadline = deadline_in(seconds);
  WorkerDescription description;
  for (;;) {
    const auto line = worker.receive(deadline);
    if (!line && line.error().kind == ErrorKind::timed_out) {
      worker.end();
      return failure(ErrorKind::timed_out, "the library did not start within " + printed_number(seconds) +
                                               " s: its driver hangs; look at the kernel's log");
    }
    if (!line) {
      const std::string how = worker.end();
      return failure(ErrorKind::device,
                     "the process that starts the library ended: " + (how.empty() ? line.error().message : how));
    }
    const std::vector<std::string> fields = fields_of(line.value());
    if (fields[0] == ".") return description;
    if (fields[0] == "E" && fields.size() == 3)
      return failure(fields[1] == "unsupported" ? ErrorKind::unsupported
                     : fields[1] == "not_found" ? ErrorKind::not_found
                                                : ErrorKind::device,
                     fields[2]);
    if (fields[0] == "L" && fields.size() == 2) description.name = fields[1];
    if (fields[0] == "D" && fields.size() == 5)
      description.devices.push_back({fields[1], fields[2], fields[3], fields[4]});
    if (fields[0] == "S" && fields.size() == 8) {
      Sensor sensor;
      const auto device = number_field<std::size_t>(fields[1]);
      const auto quantity = quantity_named(fields[2]);
      const auto scale = number_field<double>(fields[5]);
      if (!device || *device >= description.devices.size() || !quantity || !scale)
        return failure(ErrorKind::malformed, "the worker described a sensor wrongly: is it of another version?");
      sensor = {*device,         *quantity, fields[3], fields[4], *scale, number_field<std::uint64_t>(fields[6]),
                fields[7] == "1"};
      description.sensors.push_back(std::move(sensor));
    }
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE WorkerSource::WorkerSource(WorkerOptions options) : options_(std::move(options)) {}
ASSAY_DETAIL_HEADER_INLINE WorkerSource::WorkerSource(WorkerSource&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE WorkerSource& WorkerSource::operator=(WorkerSource&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE WorkerSource::~WorkerSource() = default;

ASSAY_DETAIL_HEADER_INLINE Result<WorkerSource> WorkerSource::open(WorkerOptions options) {
  expect(!options.command.empty(), [] {
    return std::string("A worker for readings has no command; name the program that calls serve_readings.");
  });
  WorkerSource source(std::move(options));
  auto worker = detail::ReadingWorker::start(source.options_.command);
  if (!worker) return worker.propagate();
  auto description = detail::receive_description(worker.value(), source.options_.start_seconds);
  if (!description) return description.propagate();
  source.name_ = description.value().name;
  source.devices_ = std::move(description.value().devices);
  source.sensors_ = std::move(description.value().sensors);
  for (std::size_t i = 0; i < source.sensors_.size(); ++i) source.position_.push_back(i);
  source.why_not_.resize(source.sensors_.size());
  source.blamed_.resize(source.sensors_.size());
  source.worker_ = std::make_unique<detail::ReadingWorker>(std::move(worker).value());
  return source;
}

/// A new worker may see other devices: what was described first stays, by id and sensor.
ASSAY_DETAIL_HEADER_INLINE void WorkerSource::restart() {
  if (restarts_ >= options_.most_restarts) return;
  ++restarts_;
  auto worker = detail::ReadingWorker::start(options_.command);
  if (!worker) {
    problem_ = worker.error().message;
    return;
  }
  const auto description = detail::receive_description(worker.value(), options_.start_seconds);
  if (!description) {
    problem_ = description.error().message;
    return;
  }
  const auto& [name, devices, sensors] = description.value();
  std::vector<bool> found(sensors_.size());
  position_.assign(sensors.size(), sensors_.size());
  for (std::size_t theirs = 0; theirs < sensors.size(); ++theirs)
    for (std::size_t ours = 0; ours < sensors_.size(); ++ours)
      if (!found[ours] && devices_[sensors_[ours].device].id == devices[sensors[theirs].device].id &&
          sensors_[ours].text() == sensors[theirs].text()) {
        position_[theirs] = ours;
        found[ours] = true;
        break;
      }
  for (std::size_t theirs = 0; theirs < sensors.size(); ++theirs)
    if (position_[theirs] < sensors_.size() && !why_not_[position_[theirs]].empty())
      static_cast<void>(
          worker.value().send("x\t" + std::to_string(theirs) + "\n", detail::deadline_in(options_.deadline_seconds)));
  problem_.clear();
  seldom_due_ = 0;
  worker_ = std::make_unique<detail::ReadingWorker>(std::move(worker).value());
}

ASSAY_DETAIL_HEADER_INLINE void WorkerSource::blame(std::size_t sensor) {
  if (++blamed_[sensor] == 2) why_not_[sensor] = "it is not asked any more: the library hung or ended twice over it";
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Reading> WorkerSource::poll() {
  if (!worker_) restart();
  const std::int64_t begin = detail::monotonic_nanoseconds();
  const bool with_seldom = begin >= seldom_due_;
  if (with_seldom) seldom_due_ = begin + static_cast<std::int64_t>(options_.seldom_seconds * 1e9);
  std::vector<Reading> readings;
  std::vector<bool> told(sensors_.size());
  std::string why = problem_;
  if (worker_) {
    const std::int64_t deadline = detail::deadline_in(options_.deadline_seconds);
    const auto sent = worker_->send(with_seldom ? "q\n" : "p\n", deadline);
    while (worker_) {
      const auto line = sent ? worker_->receive(deadline) : sent.propagate();
      if (!line) {
        const std::size_t asking = worker_->asking();
        const bool late = line.error().kind == ErrorKind::timed_out;
        const bool known = sent && asking < position_.size() && position_[asking] < sensors_.size();
        const std::string how = worker_->end();
        const std::string over = known ? " over " + sensors_[position_[asking]].text() + " of " +
                                             devices_[sensors_[position_[asking]].device].id
                                       : "";
        why = late ? "the library did not answer within " + detail::printed_number(options_.deadline_seconds) + " s" +
                         over
                   : "the library ended its process" + over + (how.empty() ? "" : ": " + how);
        if (known) blame(position_[asking]);
        worker_.reset();
        break;
      }
      const std::vector<std::string> fields = detail::fields_of(line.value());
      if (fields[0] == ".") break;
      const auto theirs = fields.size() >= 4 ? detail::number_field<std::size_t>(fields[1]) : std::nullopt;
      const auto time = fields.size() >= 4 ? detail::number_field<std::int64_t>(fields[2]) : std::nullopt;
      if (!theirs || !time || *theirs >= position_.size() || position_[*theirs] >= sensors_.size()) continue;
      const std::size_t sensor = position_[*theirs];
      if (told[sensor]) continue;
      if (fields[0] == "c") {
        if (const auto count = detail::number_field<std::uint64_t>(fields[3])) {
          readings.push_back(Reading::counted(sensor, *time, *count, sensors_[sensor].scale));
          told[sensor] = true;
        }
      } else if (fields[0] == "v") {
        if (const auto value = detail::number_field<double>(fields[3])) {
          readings.push_back(Reading::of(sensor, *time, *value));
          told[sensor] = true;
        }
      } else if (fields[0] == "n" && fields.size() == 5) {
        const auto state = reading_state_named(fields[3]);
        if (state && *state != ReadingState::value) {
          readings.push_back(
              Reading::none(sensor, *time, *state, why_not_[sensor].empty() ? fields[4] : why_not_[sensor]));
          told[sensor] = true;
        }
      }
    }
  }
  // What the worker did not tell: it ended, or does not find the device any more.
  const std::int64_t now = detail::monotonic_nanoseconds();
  std::vector<bool> there(devices_.size());
  for (const std::size_t sensor : position_)
    if (sensor < sensors_.size()) there[sensors_[sensor].device] = true;
  for (std::size_t sensor = 0; sensor < sensors_.size(); ++sensor) {
    if (told[sensor] || !due(sensor, with_seldom)) continue;
    if (worker_ && !there[sensors_[sensor].device])
      readings.push_back(
          Reading::none(sensor, now, ReadingState::lost, "the library does not find the device any more"));
    else
      readings.push_back(Reading::none(sensor, now, ReadingState::failed, worker_ ? "the worker did not tell" : why));
  }
  return readings;
}

}  // namespace assay::inline v0
