#pragma once

#include "assay/telemetry/recording_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "assay/core/config.hpp"
#include "assay/core/stable_sort.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string recording_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE nlohmann::ordered_json description_json(const Recording& recording) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema", recording_schema}, {"started", recording.started}};
  Json& devices = json["devices"] = Json::array();
  for (const TelemetryDevice& device : recording.devices) {
    Json& own = devices.emplace_back(Json{{"id", device.id}, {"kind", device.kind}});
    if (!device.name.empty()) own["name"] = device.name;
    if (!device.parent.empty()) own["parent"] = device.parent;
  }
  Json& sensors = json["sensors"] = Json::array();
  for (const Sensor& sensor : recording.sensors) {
    Json& own = sensors.emplace_back(
        Json{{"device", sensor.device}, {"quantity", name_of(sensor.quantity)}, {"unit", unit_of(sensor.quantity)}});
    if (!sensor.name.empty()) own["name"] = sensor.name;
    if (!sensor.limits.empty()) own["limits"] = sensor.limits;
    if (sensor.scale != 1) own["scale"] = sensor.scale;
    if (sensor.wraps_at) own["wraps_at"] = *sensor.wraps_at;
    if (sensor.seldom) own["seldom"] = true;
  }
  return json;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_counted(const Sensor& sensor) {
  return is_counter(sensor.quantity) || sensor.quantity == Quantity::throttle_reasons;
}

/// Reads lines into a recording; throws what nlohmann-json throws, and std::string for what contradicts itself.
class RecordingReader {
 public:
  void read(const std::string& text) {
    using Json = nlohmann::json;
    const Json json = Json::parse(text);
    if (!json.is_object()) throw std::string("it is no object");
    if (!begun_) {
      describe(json);
      begun_ = true;
    } else if (json.contains("r")) {
      add_readings(json);
    } else if (json.contains("event")) {
      add_event(json);
    } else if (json.contains("end")) {
      result_.end_nanoseconds = std::max(result_.end_nanoseconds, time_of(json.at("end")));
    }
  }
  [[nodiscard]] bool begun() const noexcept { return begun_; }
  [[nodiscard]] Recording take() && { return std::move(result_); }

 private:
  [[nodiscard]] static std::int64_t time_of(const nlohmann::json& json) {
    constexpr std::int64_t most = std::int64_t{1} << 61;  // 73 years: sums of two are still numbers
    if (!json.is_number_integer() ||
        (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(most)))
      throw std::string("a time is no count of nanoseconds");
    const auto time = json.get<std::int64_t>();
    if (time < 0 || time > most) throw std::string("a time is before the beginning, or after 73 years");
    return time;
  }

  void describe(const nlohmann::json& json) {
    const std::string schema = json.value("schema", std::string());
    if (schema != recording_schema)
      throw "its form is '" + schema.substr(0, 60) + "', and this version of Assay reads '" + recording_schema + "'";
    result_.started = json.value("started", std::string());
    for (const auto& own : json.at("devices"))
      result_.devices.push_back({own.at("id").get<std::string>(), own.value("name", std::string()),
                                 own.value("kind", std::string()), own.value("parent", std::string())});
    for (const auto& own : json.at("sensors")) {
      Sensor sensor;
      sensor.device = own.at("device").get<std::size_t>();
      if (sensor.device >= result_.devices.size()) throw std::string("a sensor names a device that is not there");
      const auto quantity = quantity_named(own.at("quantity").get<std::string>());
      if (!quantity) throw "the quantity '" + own.at("quantity").get<std::string>() + "' is not known";
      sensor.quantity = *quantity;
      sensor.name = own.value("name", std::string());
      sensor.limits = own.value("limits", std::string());
      sensor.scale = own.value("scale", 1.0);
      if (!(sensor.scale > 0) || !std::isfinite(sensor.scale)) throw std::string("a scale is not above 0");
      if (own.contains("wraps_at")) sensor.wraps_at = own.at("wraps_at").get<std::uint64_t>();
      sensor.seldom = own.value("seldom", false);
      result_.sensors.push_back(std::move(sensor));
    }
    result_.readings.resize(result_.sensors.size());
  }

  void add_readings(const nlohmann::json& json) {
    const std::int64_t begin = time_of(json.at("t"));
    for (const auto& entry : json.at("r")) {
      const auto sensor = entry.at(0).get<std::size_t>();
      if (sensor >= result_.sensors.size()) throw std::string("a reading names a sensor that is not there");
      const std::int64_t time = begin + time_of(entry.at(1));
      const auto& value = entry.at(2);
      std::vector<Reading>& before = result_.readings[sensor];
      if (!before.empty() && time < before.back().nanoseconds)
        throw std::string("a reading is older than the one before it");
      if (value.is_string()) {
        const auto state = reading_state_named(value.get<std::string>());
        if (!state || *state == ReadingState::value) throw "the state '" + value.get<std::string>() + "' is not known";
        result_.add(Reading::none(sensor, time, *state, entry.at(3).get<std::string>()));
      } else if (is_counted(result_.sensors[sensor])) {
        if (!value.is_number_unsigned()) throw std::string("a count is no whole number");
        result_.add(Reading::counted(sensor, time, value.get<std::uint64_t>(), result_.sensors[sensor].scale));
      } else {
        if (!value.is_number()) throw std::string("a value is no number");
        result_.add(Reading::of(sensor, time, value.get<double>()));
      }
    }
    result_.end_nanoseconds = std::max(result_.end_nanoseconds, begin);
  }

  void add_event(const nlohmann::json& json) {
    const auto& own = json.at("event");
    TelemetryEvent event;
    event.nanoseconds = time_of(json.at("t"));
    event.device = own.value("device", std::string());
    event.kind = own.at("kind").get<std::string>();
    event.code = own.value("code", 0);
    event.action = own.value("action", std::string());
    event.fatal = own.value("fatal", false);
    event.text = own.value("text", std::string());
    result_.events.push_back(std::move(event));
  }

  Recording result_;
  bool begun_ = false;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<RecordingWriter> RecordingWriter::create(const std::filesystem::path& path,
                                                                           const Recording& description) {
  std::error_code code;
  if (std::filesystem::is_regular_file(path, code) && std::filesystem::file_size(path, code) > 0)
    return failure(ErrorKind::io,
                   "'" + path.string() + "' is there, and a recording is not written over; name another file");
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "ae"));
  if (file == nullptr) return failure(ErrorKind::io, "cannot write '" + path.string() + "': " + std::strerror(errno));
  RecordingWriter writer(std::move(file), path.string(), description);
  writer.line(detail::recording_line(detail::description_json(description)));
  if (!writer.problem_.empty()) return failure(ErrorKind::io, writer.problem_);
  return writer;
}

ASSAY_DETAIL_HEADER_INLINE void RecordingWriter::line(const std::string& text) {
  if (!problem_.empty()) return;
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
    problem_ = "cannot write '" + name_ + "': " + std::strerror(errno);
}

ASSAY_DETAIL_HEADER_INLINE void RecordingWriter::write(const std::vector<Reading>& readings,
                                                       const std::vector<TelemetryEvent>& events) {
  using Json = nlohmann::ordered_json;
  if (!readings.empty()) {
    std::int64_t begin = readings.front().nanoseconds;
    for (const Reading& reading : readings) begin = std::min(begin, reading.nanoseconds);
    // By hand, since it is done ten times a second: a tree of JSON takes five times as long.
    std::string text = "{\"t\":" + std::to_string(std::max<std::int64_t>(begin - begin_, 0)) + ",\"r\":[";
    for (const Reading& reading : readings) {
      text += (text.back() == '[' ? "[" : ",[") + std::to_string(reading.sensor) + "," +
              std::to_string(reading.nanoseconds - begin) + ",";
      if (!reading.has_value()) {
        text += "\"" + std::string(name_of(reading.state)) + "\"," +
                Json(reading.reason).dump(-1, ' ', false, Json::error_handler_t::replace) + "]";
      } else if (detail::is_counted(sensors_.at(reading.sensor))) {
        text += std::to_string(reading.count) + "]";
      } else if (std::isfinite(reading.value)) {
        char number[32];
        text.append(number, std::to_chars(number, number + sizeof number, reading.value).ptr) += "]";
      } else {
        text += "\"failed\",\"the number is not finite\"]";
      }
    }
    line(text + "]}\n");
  }
  for (const TelemetryEvent& event : events)
    line(detail::recording_line(Json{{"t", std::max<std::int64_t>(event.nanoseconds - begin_, 0)},
                                     {"event",
                                      {{"kind", event.kind},
                                       {"device", event.device},
                                       {"code", event.code},
                                       {"action", event.action},
                                       {"fatal", event.fatal},
                                       {"text", event.text}}}}));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> RecordingWriter::finish(std::int64_t end_nanoseconds) {
  line(detail::recording_line(nlohmann::ordered_json{{"end", std::max<std::int64_t>(end_nanoseconds - begin_, 0)}}));
  if (!problem_.empty()) return failure(ErrorKind::io, problem_);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<Recording> recording_of(std::string_view text, const std::string& name) {
  detail::RecordingReader reader;
  std::optional<std::string> torn;
  std::size_t number = 0, torn_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line(text.substr(start, end - start));
    const bool last = end + 1 >= text.size();
    start = end + 1;
    ++number;
    std::string wrong;
    try {
      if (end == text.size()) throw std::string("it has no end");  // every line ends with a newline
      reader.read(line);
    } catch (const std::string& why) {
      wrong = why;
    } catch (const nlohmann::json::exception& exception) {
      wrong = exception.what();
    }
    if (wrong.empty()) continue;
    if (last && reader.begun()) {
      torn = wrong;
      torn_number = number;
      break;
    }
    return failure(ErrorKind::malformed, "'" + name + "', line " + std::to_string(number) + ": " + wrong);
  }
  if (!reader.begun())
    return failure(ErrorKind::malformed, "'" + name + "' is empty; a recording begins with a line that describes it");
  Recording recording = std::move(reader).take();
  if (torn)
    recording.warnings.push_back("'" + name + "', line " + std::to_string(torn_number) +
                                 " is torn: whoever recorded it was stopped while writing; the line is left out");
  return recording;
}

ASSAY_DETAIL_HEADER_INLINE Result<Recording> read_recording(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return failure(ErrorKind::not_found,
                   "'" + path.string() + "' does not exist; name a file that `assay telemetry record` wrote");
  if (std::filesystem::is_directory(path, code))
    return failure(ErrorKind::io, "'" + path.string() + "' is a folder; name a recording in it");
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) return failure(ErrorKind::io, "cannot read '" + path.string() + "': " + std::strerror(errno));
  return recording_of(text, path.string());
}

ASSAY_DETAIL_HEADER_INLINE Result<void> write_recording(const Recording& recording, const std::filesystem::path& path) {
  auto writer = RecordingWriter::create(path, recording);
  if (!writer) return writer.propagate();
  std::vector<Reading> all;
  for (const std::vector<Reading>& readings : recording.readings)
    all.insert(all.end(), readings.begin(), readings.end());
  detail::stable_sort(all, [](const Reading& a, const Reading& b) { return a.nanoseconds < b.nanoseconds; });
  std::vector<Reading> poll;
  for (const Reading& reading : all) {  // a line a millisecond
    if (!poll.empty() && reading.nanoseconds - poll.front().nanoseconds > 1000000) {
      writer.value().write(poll, {});
      poll.clear();
    }
    poll.push_back(reading);
  }
  writer.value().write(poll, recording.events);
  return writer.value().finish(recording.end_nanoseconds);
}

}  // namespace assay::inline v0
