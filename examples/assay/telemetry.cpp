#include "telemetry.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/table.hpp"
#include "assay/hardware/power.hpp"
#include "assay/hardware/thermal.hpp"
#include "assay/hardware/timeline_html.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "assay/telemetry/recorder.hpp"
#include "assay/telemetry/recording_file.hpp"
#include "assay/telemetry/serve_readings.hpp"
#include "assay/telemetry/throttle_reason.hpp"
#include "assay/telemetry/validity.hpp"
#include "fault.hpp"
#include "interruption.hpp"
#include "printed_table.hpp"
#include "telemetry_sources.hpp"

namespace assay_program {

namespace {

std::string value_text(const assay::Sensor& sensor, const assay::Reading& reading) {
  if (!reading.has_value()) return std::string(name_of(reading.state)) + ": " + reading.reason;
  if (sensor.quantity == assay::Quantity::throttle_reasons) return assay::throttle_reason_text(reading.count);
  if (sensor.quantity == assay::Quantity::clock || sensor.quantity == assay::Quantity::clock_limit)
    return assay::number_text(reading.value / 1e6, 5) + " MHz";
  const std::string unit(unit_of(sensor.quantity));
  return assay::number_text(reading.value, 6) + (unit == "1" ? "" : " " + unit);
}

int list(const TelemetryOptions& options) {
  auto sources = open_telemetry_sources(options);
  if (!sources) return fault(sources.error().message);
  std::size_t values = 0, sensors = 0;
  for (assay::AnySource& source : sources.value().open) {
    std::map<std::size_t, assay::Reading> now;
    for (assay::Reading& reading : source.poll()) now[reading.sensor] = reading;
    assay::Table table;
    table.columns = {"device", "sensor", "now"};
    std::size_t device = source.devices().size();
    for (std::size_t i = 0; i < source.sensors().size(); ++i) {
      const assay::Sensor& sensor = source.sensors()[i];
      const auto found = now.find(i);
      ++sensors;
      values += found != now.end() && found->second.has_value() ? 1 : 0;
      const assay::TelemetryDevice& owner = source.devices()[sensor.device];
      const bool again = sensor.device == device;
      device = sensor.device;
      table.rows.push_back(
          {again ? "" : assay::visible(owner.id), assay::visible(sensor.text()),
           found == now.end() ? "" : assay::clipped(assay::visible(value_text(sensor, found->second)), 100)});
    }
    std::printf("%s: %zu devices, %zu sensors\n", source.name().c_str(), source.devices().size(),
                source.sensors().size());
    if (!table.rows.empty()) print_table(table);
    std::printf("\n");
  }
  for (const std::string& note : sources.value().notes) std::printf("not here: %s\n", assay::visible(note).c_str());
  std::printf("%zu of %zu sensors have a value\n", values, sensors);
  return values > 0 ? 0 : 2;
}

int record(const TelemetryOptions& options) {
  if (options.file.empty()) return fault("record writes a file, and none is named; give FILE.jsonl");
  if (!(options.seconds > 0) || !(options.interval > 0) || options.seconds > 1e7)
    return fault("--seconds and --interval are above 0, and --seconds at most 10000000");
  auto sources = open_telemetry_sources(options);
  if (!sources) return fault(sources.error().message);
  for (const std::string& note : sources.value().notes)
    std::fprintf(stderr, "assay: not here: %s\n", assay::visible(note).c_str());
  std::size_t sensors = 0;
  for (const assay::AnySource& source : sources.value().open) sensors += source.sensors().size();
  if (sensors == 0)
    return fault("there is no sensor here, so nothing is recorded; `assay telemetry list` tells what was looked for");

  std::optional<assay::RecordingWriter> writer;
  std::size_t values = 0;
  std::atomic<bool> broken{false};
  assay::RecorderOptions how;
  how.interval_seconds = options.interval;
  how.keep = false;
  how.observer = [&](const std::vector<assay::Reading>& readings, const std::vector<assay::TelemetryEvent>& events) {
    writer->write(readings, events);
    for (const assay::Reading& reading : readings) values += reading.has_value() ? 1 : 0;
    if (!writer->problem().empty()) broken = true;
  };
  assay::Recorder recorder(std::move(sources.value().open), how);
  assay::Recording description = recorder.description();
  using Clock = std::chrono::steady_clock;
  const auto nanoseconds = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  };
  description.begin_nanoseconds = nanoseconds();
  auto created = assay::RecordingWriter::create(options.file, description);
  if (!created) return fault(created.error().message);
  writer.emplace(std::move(created).value());
  const Interruption interruption(true);
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
  recorder.start();
  while (Clock::now() < end && !interruption.requested() && !broken)
    std::this_thread::sleep_for(std::min<Clock::duration>(std::chrono::milliseconds(50), end - Clock::now()));
  static_cast<void>(recorder.stop());
  if (const auto finished = writer->finish(nanoseconds()); !finished) return fault(finished.error().message);
  std::printf("%zu sensors, %zu values: %s\n", sensors, values, options.file.c_str());
  return values > 0 ? 0 : fault("no sensor had a value");
}

assay::Result<assay::Recording> read(const TelemetryOptions& options) {
  if (options.file.empty())
    return assay::failure(assay::ErrorKind::invalid,
                          options.action + " reads a recording, and none is named; give FILE.jsonl");
  return assay::read_recording(options.file);
}

int show(const TelemetryOptions& options) {
  const auto read_result = read(options);
  if (!read_result) return fault(read_result.error().message);
  const assay::Recording& recording = read_result.value();
  for (const std::string& id : options.devices)
    if (!recording.device(id)) {
      std::vector<std::string> ids;
      for (const assay::TelemetryDevice& device : recording.devices) ids.push_back(device.id);
      return fault(assay::unknown_name("device", id, ids));
    }
  for (const std::string& warning : recording.warnings)
    std::fprintf(stderr, "assay: %s\n", assay::visible(warning).c_str());
  assay::Table table;
  table.columns = {"device", "sensor", "lowest", "mean", "highest", "no value"};
  for (std::size_t sensor = 0; sensor < recording.sensors.size(); ++sensor) {
    const assay::Sensor& described = recording.sensors[sensor];
    const std::string& id = recording.devices[described.device].id;
    if (!options.devices.empty() &&
        std::find(options.devices.begin(), options.devices.end(), id) == options.devices.end())
      continue;
    double low = HUGE_VAL, high = -HUGE_VAL, sum = 0;
    std::size_t values = 0;
    for (const assay::Reading& reading : recording.readings[sensor]) {
      if (!reading.has_value()) continue;
      low = std::min(low, reading.value);
      high = std::max(high, reading.value);
      sum += reading.value;
      ++values;
    }
    const std::size_t none = recording.readings[sensor].size() - values;
    const auto text = [&](double value) { return assay::number_text(value, 5); };
    const std::string unit = unit_of(described.quantity) == "1" ? "" : " " + std::string(unit_of(described.quantity));
    std::vector<std::string> row{
        assay::visible(id), assay::visible(described.text()), "", "", "", none > 0 ? std::to_string(none) : ""};
    if (is_counter(described.quantity)) {
      const assay::CounterChange change = assay::counter_change(described, recording.readings[sensor]);
      if (change.steps > 0) row[4] = "+" + text(change.amount) + unit + (change.resets > 0 ? ", set back" : "");
    } else if (described.quantity == assay::Quantity::throttle_reasons) {
      std::uint64_t seen = 0;
      for (const assay::Reading& reading : recording.readings[sensor]) seen |= reading.count;
      if (values > 0) row[4] = assay::throttle_reason_text(seen);
    } else if (values > 0) {
      row[2] = text(low);
      row[3] = text(sum / static_cast<double>(values));
      row[4] = text(high) + unit;
    }
    table.rows.push_back(std::move(row));
  }
  print_table(table);
  const assay::Validity validity = assay::check_validity(recording);
  std::printf("%s, %zu events%s\n", assay::duration_text(recording.duration_seconds()).c_str(), recording.events.size(),
              validity.valid() ? "" : (", " + assay::visible(validity.text())).c_str());
  for (const assay::TelemetryEvent& event : recording.events)
    std::printf("%s s  %s%s  %s  %s\n", assay::number_text(recording.seconds(event.nanoseconds), 4).c_str(),
                event.kind.c_str(), event.code != 0 ? (" " + std::to_string(event.code)).c_str() : "",
                assay::visible(event.device).c_str(), assay::clipped(assay::visible(event.text), 120).c_str());
  if (options.page.empty()) return 0;
  assay::TimelineOptions how;
  how.title = options.file;
  how.devices = options.devices;
  if (const auto written = assay::write_file(options.page, assay::timeline_html(recording, how)); !written)
    return fault(written.error().message);
  std::printf("page: %s\n", options.page.c_str());
  return 0;
}

/// The ids of one thing, "gpu/GPU-1=pci/0000:3b:00.0".
std::vector<std::string> ids_of(const std::string& text) {
  std::vector<std::string> ids;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('=', start), text.size());
    ids.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return ids;
}

void print(const assay::Outcome& outcome) {
  std::printf("%-12s %s\n", std::string(name_of(outcome.verdict)).c_str(), assay::visible(outcome.id).c_str());
  if (!outcome.reason.empty()) std::printf("             %s\n", assay::visible(outcome.reason).c_str());
  for (const std::string& line : outcome.diagnosis)
    if (line != outcome.reason) std::printf("             %s\n", assay::visible(line).c_str());
  if (outcome.verdict == assay::Verdict::pass)
    for (const std::string& line : outcome.derivation) std::printf("             %s\n", assay::visible(line).c_str());
}

int replay(const TelemetryOptions& options) {
  if (!(options.specification >= 0) || !(options.ramp >= 0) || options.ramp > 1e7)
    return fault("--specification and --ramp are at least 0, and --ramp at most 10000000");
  const auto read_result = read(options);
  if (!read_result) return fault(read_result.error().message);
  const assay::Recording& recording = read_result.value();
  for (const std::string& warning : recording.warnings)
    std::fprintf(stderr, "assay: %s\n", assay::visible(warning).c_str());
  std::vector<assay::Outcome> outcomes;
  const auto judge = [&](const std::vector<std::string>& ids, bool power, bool heat) {
    assay::PowerOptions of_power;
    of_power.specification_watts = options.specification;
    of_power.ramp_seconds = options.ramp;
    of_power.related.assign(ids.begin() + 1, ids.end());
    assay::ThermalOptions of_heat;
    of_heat.ramp_seconds = options.ramp;
    of_heat.related = of_power.related;
    if (power) outcomes.push_back(assay::judge_power(recording, ids.front(), of_power));
    if (heat) outcomes.push_back(assay::judge_thermal(recording, ids.front(), of_heat));
  };
  for (const std::string& text : options.devices) judge(ids_of(text), true, true);
  if (options.devices.empty())
    for (std::size_t device = 0; device < recording.devices.size(); ++device) {
      const auto tells = [&](assay::Quantity quantity) { return recording.sensor_of(device, quantity).has_value(); };
      const bool power = tells(assay::Quantity::energy), limit = tells(assay::Quantity::power_limit);
      const bool heat = tells(assay::Quantity::temperature);
      const bool throttling = tells(assay::Quantity::throttle_reasons) || tells(assay::Quantity::throttle_time) ||
                              tells(assay::Quantity::throttle_count);
      const std::string& id = recording.devices[device].id;
      judge({id}, power && limit, heat && throttling);
      const char* const how = "; what tells it of the same thing is joined by --device";
      if (power && !limit) std::printf("not judged   power/%s: no limit of power%s\n", assay::visible(id).c_str(), how);
      if (heat && !throttling)
        std::printf("not judged   thermal/%s: no throttling%s\n", assay::visible(id).c_str(), how);
    }
  std::size_t passed = 0, failed = 0;
  for (const assay::Outcome& outcome : outcomes) {
    print(outcome);
    passed += outcome.verdict == assay::Verdict::pass ? 1 : 0;
    failed += outcome.verdict == assay::Verdict::fail ? 1 : 0;
  }
  for (const assay::TelemetryEvent& event : recording.events)
    if (event.fatal)
      std::printf("event        %s%s of %s asks for: %s\n", event.kind.c_str(),
                  event.code != 0 ? (" " + std::to_string(event.code)).c_str() : "",
                  assay::visible(event.device).c_str(), event.action.c_str());
  const bool fatal =
      std::any_of(recording.events.begin(), recording.events.end(), [](const auto& event) { return event.fatal; });
  std::printf("%zu judged: %zu passed, %zu failed, %zu undecided\n", outcomes.size(), passed, failed,
              outcomes.size() - passed - failed);
  if (failed > 0 || fatal) return 1;
  return passed > 0 && passed == outcomes.size() ? 0 : 2;
}

}  // namespace

int telemetry(const TelemetryOptions& options) {
  if (options.action == "serve") return assay::serve_readings(options.file, options.library);
  if (options.action == "list") return list(options);
  if (options.action == "record") return record(options);
  if (options.action == "show") return show(options);
  return replay(options);
}

}  // namespace assay_program
