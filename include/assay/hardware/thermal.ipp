#pragma once

#include "assay/hardware/thermal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/hardware/detail/recorded_device.hpp"
#include "assay/report/text.hpp"
#include "assay/telemetry/throttle_reason.hpp"
#include "assay/telemetry/validity.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string degrees_text(double degrees) {
  return printed_number(degrees, 3) + " °C";
}

/// Judges the temperatures of one device of a recording.
class ThermalJudge {
 public:
  ThermalJudge(const Recording& recording, const ThermalOptions& options, Outcome& outcome)
      : recording_(recording), options_(options), outcome_(outcome), end_(recording.end_nanoseconds) {
    steady_begin_ = std::max(recording.begin_nanoseconds, end_ - nanoseconds(options.steady_seconds));
    loaded_begin_ = recording.begin_nanoseconds + nanoseconds(options.ramp_seconds);
  }

  void judge() {
    if (!told_a_temperature()) {
      outcome_.verdict = Verdict::unsupported;
      outcome_.reason = "the device tells no temperature; use a source that does";
      return;
    }
    find_margin();
    find_throttling();
    add_courses();
    outcome_.labels["throttle"] = std::string(name_of(cause_));
    // Heat that slowed a device refutes it, whatever else is not known.
    if (cause_ == ThrottleCause::thermal || cause_ == ThrottleCause::power_brake) return fail(throttle_text_);
    ValidityOptions asked;
    const bool has_temperature = told_a(Quantity::temperature);
    asked.quantities = {has_temperature ? Quantity::temperature : Quantity::temperature_margin};
    if (told_a(Quantity::throttle_reasons))
      asked.quantities.push_back(Quantity::throttle_reasons);
    else
      asked.quantities.insert(asked.quantities.end(), told_counters_.begin(), told_counters_.end());
    asked.longest_gap_seconds = options_.longest_gap_seconds;
    if (const Validity validity = check_validity(recording_, asked); !validity.valid())
      return set_inconclusive(outcome_, validity);
    if (recording_.duration_seconds() < options_.ramp_seconds + options_.steady_seconds)
      return undecided("too_short", "the recording has " + duration_text(recording_.duration_seconds()) +
                                        "; a ramp of " + duration_text(options_.ramp_seconds) + " and " +
                                        duration_text(options_.steady_seconds) +
                                        " after it are needed: record for longer");
    if (cause_ == ThrottleCause::unexplained) return fail(throttle_text_);
    if (margin_ && *margin_ < options_.least_margin)
      return fail(margin_text_ + ", and at least " + degrees_text(options_.least_margin) + " are required");
    if (const std::string moving = not_steady(); !moving.empty()) return undecided("not_steady", moving);
    if (!margin_)
      return undecided("no_limit",
                       "no limit and no margin of a temperature can be read, so it is not known how near it is; "
                       "give one, or use a source that tells it");
    if (!throttling_is_known_)
      return undecided("no_throttle_information",
                       "neither throttle reasons nor counters can be read, so it is not known whether "
                       "heat slowed the device; use a source that tells them");
    outcome_.verdict = Verdict::pass;
    outcome_.derivation.push_back(margin_text_);
    outcome_.derivation.push_back(throttle_text_);
  }

 private:
  [[nodiscard]] static std::int64_t nanoseconds(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }

  void fail(const std::string& text) {
    outcome_.verdict = Verdict::fail;
    outcome_.reason = text;
  }
  void undecided(const std::string& code, const std::string& text) {
    outcome_.verdict = Verdict::inconclusive;
    outcome_.reason = code + ": " + text;
    outcome_.labels["reason_codes"] = code;
  }

  [[nodiscard]] bool told_a(Quantity quantity) const {
    const auto sensor = recording_.sensor_of(0, quantity);
    return sensor && recording_.last_value(*sensor);
  }
  [[nodiscard]] bool told_a_temperature() const {
    return told_a(Quantity::temperature) || told_a(Quantity::temperature_margin);
  }

  /// The limit at which the device slows down: the lowest of those of that name.
  [[nodiscard]] std::optional<double> limit_of(const std::string& name) const {
    std::optional<double> lowest;
    for (const std::size_t sensor : recording_.sensors_of(0, Quantity::temperature_limit)) {
      if (recording_.sensors[sensor].name != name) continue;
      const auto limit = recording_.last_value(sensor);
      if (limit && *limit > 0) lowest = std::min(lowest.value_or(*limit), *limit);
    }
    return lowest;
  }

  void set_margin(double margin, const std::string& text) {
    if (margin_ && *margin_ <= margin) return;
    margin_ = margin;
    margin_text_ = text + ": a margin of " + degrees_text(margin);
  }

  void find_margin() {
    for (const std::size_t sensor : recording_.sensors_of(0, Quantity::temperature)) {
      const WindowValues window = values_within(recording_, sensor, steady_begin_, end_);
      if (window.values.empty()) continue;
      const std::string& name = recording_.sensors[sensor].name;
      const double hottest = *std::max_element(window.values.begin(), window.values.end());
      outcome_.measure("temperature " + name, hottest, "°C");
      if (const auto limit = limit_of(name))
        set_margin(*limit - hottest, recording_.sensors[sensor].text() + " is " + degrees_text(hottest) +
                                         " at most, with a limit of " + degrees_text(*limit));
    }
    for (const std::size_t sensor : recording_.sensors_of(0, Quantity::temperature_margin)) {
      const WindowValues window = values_within(recording_, sensor, steady_begin_, end_);
      if (window.values.empty()) continue;
      set_margin(*std::min_element(window.values.begin(), window.values.end()), recording_.sensors[sensor].text());
    }
    if (margin_) outcome_.measure("margin", *margin_, "°C");
  }

  /// Whether any temperature came near its limit between two times.
  [[nodiscard]] std::optional<bool> near_limit(std::int64_t begin, std::int64_t end) const {
    std::optional<bool> near;
    // A temperature is told with a delay, and rarer than reasons.
    const std::int64_t slack = nanoseconds(options_.longest_gap_seconds);
    for (const std::size_t sensor : recording_.sensors_of(0, Quantity::temperature)) {
      const auto limit = limit_of(recording_.sensors[sensor].name);
      if (!limit) continue;
      for (const double value : values_within(recording_, sensor, begin - slack, end + slack).values)
        near = near.value_or(false) || value >= *limit - options_.near_limit;
    }
    for (const std::size_t sensor : recording_.sensors_of(0, Quantity::temperature_margin))
      for (const double value : values_within(recording_, sensor, begin - slack, end + slack).values)
        near = near.value_or(false) || value <= options_.near_limit;
    return near;
  }

  void find_throttling() {
    throttle_text_ = "nothing held the clocks down";
    find_reasons();
    find_counters();
    if (cause_ == ThrottleCause::none || cause_ == ThrottleCause::power_cap) find_clock_drop();
  }

  void blame_heat(const std::string& how, std::int64_t begin, std::int64_t end) {
    if (cause_ == ThrottleCause::thermal) return;
    cause_ = ThrottleCause::thermal;
    throttle_text_ = "heat held the clocks down: " + how;
    const auto near = near_limit(begin, end);
    if (near && !*near)
      outcome_.diagnosis.push_back("no temperature that is told was within " + degrees_text(options_.near_limit) +
                                   " of its limit: another place is hot (memory, regulators), or a sensor is wrong");
  }

  void find_reasons() {
    const auto sensor = recording_.sensor_of(0, Quantity::throttle_reasons);
    if (!sensor) return;
    int consecutive = 0;
    std::int64_t since = 0;
    std::uint64_t seen = 0, capped = 0, polls = 0;
    for (const Reading& reading : recording_.between(*sensor, recording_.begin_nanoseconds, end_)) {
      if (!reading.has_value()) {
        consecutive = 0;  // what was not read does not count
        continue;
      }
      throttling_is_known_ = true;
      ++polls;
      capped += has_reason(reading.count, ThrottleReason::power_cap) ? 1 : 0;
      seen |= reading.count;
      if ((reading.count & thermal_reasons) == 0) {
        consecutive = 0;
      } else {
        if (consecutive++ == 0) since = reading.nanoseconds;
        if (consecutive == options_.consecutive_polls)
          blame_heat(throttle_reason_text(reading.count & thermal_reasons) + " from " +
                         duration_text(recording_.seconds(since)) + " on",
                     since, reading.nanoseconds);
      }
    }
    if (cause_ == ThrottleCause::thermal) return;
    if (has_reason(seen, ThrottleReason::power_brake)) {
      cause_ = ThrottleCause::power_brake;
      throttle_text_ = "the power brake held the clocks down: look at the machine's power supplies";
    } else if (capped * 20 > polls) {
      cause_ = ThrottleCause::power_cap;
      throttle_text_ = "the power cap held the clocks down, which under full load is normal";
    } else if (seen != 0) {
      throttle_text_ =
          "reasons for lower clocks that were told, none of which is a failure: " + throttle_reason_text(seen);
    }
  }

  /// Whether a counter told from the beginning to the end: of what it did not see it says nothing.
  [[nodiscard]] bool told_throughout(std::size_t sensor) const {
    const std::int64_t slack = nanoseconds(options_.longest_gap_seconds);
    const auto told_between = [&](std::int64_t begin, std::int64_t end) {
      const auto readings = recording_.between(sensor, begin, end);
      return std::any_of(readings.begin(), readings.end(), [](const Reading& reading) { return reading.has_value(); });
    };
    return told_between(recording_.begin_nanoseconds, recording_.begin_nanoseconds + slack) &&
           told_between(end_ - slack, end_);
  }

  void find_counters() {
    bool complete = true;
    for (const Quantity quantity : {Quantity::throttle_time, Quantity::throttle_count})
      for (const std::size_t sensor : recording_.sensors_of(0, quantity)) {
        const Sensor& described = recording_.sensors[sensor];
        if (described.name == "power_cap") continue;
        const CounterChange change = counter_change(described, recording_.readings[sensor]);
        if (change.steps == 0) continue;
        if (told_counters_.empty() || told_counters_.back() != quantity) told_counters_.push_back(quantity);
        complete = complete && change.complete() && told_throughout(sensor);
        const bool brake = described.name == "power_brake";
        const double most =
            quantity == Quantity::throttle_time ? options_.throttled_share * recording_.duration_seconds() : 0;
        if (!(change.amount > most)) continue;
        const std::string how =
            described.text() + " grew by " + printed_number(change.amount, 3) +
            (quantity == Quantity::throttle_time ? " s of " + duration_text(recording_.duration_seconds()) : " events");
        if (!brake) {
          blame_heat(how, recording_.begin_nanoseconds, end_);
        } else if (cause_ != ThrottleCause::thermal) {
          cause_ = ThrottleCause::power_brake;
          throttle_text_ = "the power brake held the clocks down: " + how;
        }
      }
    throttling_is_known_ = throttling_is_known_ || (complete && !told_counters_.empty());
  }

  /// The first five seconds of load whose polls have no reason are what the clock can be.
  void find_clock_drop() {
    const auto clock = recording_.sensor_of(0, Quantity::clock);
    if (!clock) return;
    const auto reasons = recording_.sensor_of(0, Quantity::throttle_reasons);
    constexpr std::uint64_t harmless = static_cast<std::uint64_t>(ThrottleReason::hardware_slowdown);
    const std::int64_t window = nanoseconds(5);
    std::optional<double> baseline;
    for (std::int64_t begin = loaded_begin_; begin + window <= end_ && !baseline; begin += window) {
      bool free = true;
      if (reasons)
        for (const Reading& reading : recording_.between(*reasons, begin, begin + window))
          free = free && reading.has_value() && (reading.count & ~harmless) == 0;
      const WindowValues values = values_within(recording_, *clock, begin, begin + window);
      if (free && !values.values.empty()) baseline = median_of(values.values);
    }
    const WindowValues now = values_within(recording_, *clock, steady_begin_, end_);
    if (!baseline || !(*baseline > 0) || now.values.empty()) return;
    const double drop = 1 - median_of(now.values) / *baseline;
    outcome_.measure("clock_drop", drop);
    if (drop <= options_.clock_drop || cause_ == ThrottleCause::power_cap) return;
    std::uint64_t seen = 0;
    if (reasons)
      for (const Reading& reading : recording_.between(*reasons, steady_begin_, end_)) seen |= reading.count;
    if (has_reason(seen, ThrottleReason::idle) || has_reason(seen, ThrottleReason::application_clocks)) {
      outcome_.diagnosis.push_back("clocks fell since the device was idle, or somebody asked for lower ones");
      return;
    }
    cause_ = ThrottleCause::unexplained;
    const std::uint64_t told = seen & ~harmless;
    throttle_text_ = "clocks fell by " + printed_number(100 * drop, 3) + " %, from " +
                     printed_number(*baseline / 1e6, 4) + " MHz, and " +
                     (told == 0 ? "no reason was told" : "what was told is " + throttle_reason_text(told));
  }

  /// Why the end is not steady; empty where it is.
  [[nodiscard]] std::string not_steady() {
    for (const Quantity quantity : {Quantity::temperature, Quantity::temperature_margin})
      for (const std::size_t sensor : recording_.sensors_of(0, quantity)) {
        const WindowValues window = values_within(recording_, sensor, steady_begin_, end_);
        if (window.values.size() < 2) continue;
        const double slope = 60 * slope_of(window);
        if (std::fabs(slope) >= options_.steepest)
          return recording_.sensors[sensor].text() + " still changes by " + printed_number(slope, 3) +
                 " °C a minute; record for longer";
      }
    const auto power = recording_.sensor_of(0, Quantity::power);
    if (!power) return {};
    const WindowValues window = values_within(recording_, *power, steady_begin_, end_);
    if (window.values.size() < 2) return {};
    const double variation = coefficient_of_variation(window.values);
    outcome_.measure("power_variation", variation);
    if (variation < options_.power_variation) return {};
    return "power varies by " + printed_number(100 * variation, 3) + " %: the load is not steady";
  }

  void add_courses() {
    for (const Quantity quantity : {Quantity::temperature, Quantity::power, Quantity::clock})
      if (const auto sensor = recording_.sensor_of(0, quantity))
        outcome_.series.push_back(course_of(recording_, *sensor));
  }

  const Recording& recording_;
  const ThermalOptions& options_;
  Outcome& outcome_;
  std::int64_t end_, steady_begin_, loaded_begin_;
  std::optional<double> margin_;
  std::string margin_text_, throttle_text_;
  std::vector<Quantity> told_counters_;  // of throttling by something else than the power cap
  ThrottleCause cause_ = ThrottleCause::none;
  bool throttling_is_known_ = false;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome judge_thermal(const Recording& recording, const std::string& device,
                                                 const ThermalOptions& options) {
  expect(options.steady_seconds > 0 && options.ramp_seconds >= 0 && options.consecutive_polls > 0, [] {
    return std::string("Heat is judged with a steady time and a number of polls above 0, and a ramp of at least 0.");
  });
  Outcome outcome;
  outcome.id = "thermal/" + device;
  outcome.labels = {{"operation", "thermal"}, {"device", device}};
  outcome.duration_seconds = recording.duration_seconds();
  std::vector<std::string> ids{device};
  ids.insert(ids.end(), options.related.begin(), options.related.end());
  const auto own = detail::recorded_device(recording, ids);
  if (!own) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "device_missing: " + device + " is not in the recording; is it there, and is its driver loaded?";
    outcome.labels["reason_codes"] = "device_missing";
    return outcome;
  }
  detail::ThermalJudge(*own, options, outcome).judge();
  return outcome;
}

}  // namespace assay::inline v0
