#pragma once

#include "assay/hardware/detail/recorded_device.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Recording> recorded_device(const Recording& recording,
                                                                    const std::vector<std::string>& ids) {
  if (ids.empty() || !recording.device(ids.front())) return std::nullopt;
  Recording own;
  own.started = recording.started;
  own.begin_nanoseconds = recording.begin_nanoseconds;
  own.end_nanoseconds = recording.end_nanoseconds;
  own.devices.push_back(recording.devices[*recording.device(ids.front())]);
  for (const std::string& id : ids) {
    const auto device = recording.device(id);
    for (std::size_t sensor = 0; device && sensor < recording.sensors.size(); ++sensor) {
      if (recording.sensors[sensor].device != *device) continue;
      own.sensors.push_back(recording.sensors[sensor]);
      own.sensors.back().device = 0;
      own.readings.push_back(recording.readings[sensor]);
    }
  }
  return own;
}

ASSAY_DETAIL_HEADER_INLINE WindowValues values_within(const Recording& recording, std::size_t sensor,
                                                      std::int64_t begin, std::int64_t end) {
  WindowValues found;
  for (const Reading& reading : recording.between(sensor, begin, end)) {
    if (!reading.has_value()) continue;
    found.times.push_back(recording.seconds(reading.nanoseconds));
    found.values.push_back(reading.value);
  }
  return found;
}

ASSAY_DETAIL_HEADER_INLINE double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

ASSAY_DETAIL_HEADER_INLINE double mean_value(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

ASSAY_DETAIL_HEADER_INLINE double coefficient_of_variation(const std::vector<double>& values) {
  const double mean = mean_value(values);
  if (!(mean > 0)) return std::numeric_limits<double>::infinity();
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size())) / mean;
}

ASSAY_DETAIL_HEADER_INLINE double slope_of(const WindowValues& given) {
  const double time = mean_value(given.times), value = mean_value(given.values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < given.times.size(); ++i) {
    products += (given.times[i] - time) * (given.values[i] - value);
    squares += (given.times[i] - time) * (given.times[i] - time);
  }
  return squares > 0 ? products / squares : 0;
}

ASSAY_DETAIL_HEADER_INLINE Series course_of(const Recording& recording, std::size_t sensor, std::size_t most) {
  const Sensor& described = recording.sensors[sensor];
  Series series{described.text() + " of " + recording.devices[described.device].id,
                "time (s)",
                std::string(name_of(described.quantity)) + " (" + std::string(unit_of(described.quantity)) + ")",
                {}};
  const std::vector<Reading>& readings = recording.readings[sensor];
  const std::size_t step = readings.size() / std::max<std::size_t>(most, 1) + 1;
  for (std::size_t i = 0; i < readings.size(); i += step)
    series.points.emplace_back(recording.seconds(readings[i].nanoseconds),
                               readings[i].has_value() ? readings[i].value : std::numeric_limits<double>::quiet_NaN());
  return series;
}

ASSAY_DETAIL_HEADER_INLINE void set_inconclusive(Outcome& outcome, const Validity& validity) {
  outcome.verdict = Verdict::inconclusive;
  outcome.reason = validity.text();
  outcome.labels["reason_codes"] = validity.codes();
  for (const Invalidity& reason : validity.reasons) outcome.diagnosis.push_back(reason.code + ": " + reason.text);
}

}  // namespace assay::inline v0::detail
