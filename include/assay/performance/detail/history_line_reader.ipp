#pragma once

#include "assay/performance/detail/history_line_reader.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string HistoryLineReader::read(std::string_view line) {
  error_.clear();
  key_.clear();
  state_ = State::outside;
  skipped_ = 0;
  has_time_ = false;
  series_.clear();
  converted_ = false;
  history_.runs.emplace_back();
  nlohmann::json::sax_parse(line.begin(), line.end(), this);
  if (error_.empty() && !has_time_) error_ = "the member \"time\" is missing";
  return error_;
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::string(string_t& value) {
  if (skipped_ > 0) return true;
  switch (state_) {
    case State::run:
      if (key_ == "time") {
        const auto time = parse_utc_time(value);
        if (!time)
          return refuse("'" + clipped(visible(value), 40) + "' is no time; a time reads 2025-01-02T03:04:05.678Z");
        origin().time = *time;
        has_time_ = true;
      }
      return !is_one_of(key_, "labels", "environment", "clocks", "points") || expected("a text");
    case State::labels: return put(origin().labels, value);
    case State::environment: return put(origin().environment, value);
    case State::clocks: return put(origin().clocks, value);
    case State::configuration: return put(configuration_, value);
    case State::point:
      if (key_ == "name")
        name_ = std::move(value);
      else if (key_ == "metric")
        metric_ = std::move(value);
      else if (key_ == "unit")
        unit_ = std::move(value);
      else if (key_ == "note")
        note_ = std::move(value);
      else if (key_ == "direction") {
        const auto direction = direction_named(value);
        if (!direction)
          return refuse("'" + clipped(visible(value), 40) +
                        "' is no direction; it is lower_is_better or higher_is_better");
        direction_ = *direction;
        has_direction_ = true;
      } else
        return !is_one_of(key_, "configuration", "samples") || expected("a text");
      return true;
    case State::outside:
    case State::points:
    case State::samples: return expected("a text");
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::start_object(std::size_t) {
  if (skipped_ > 0) return skip();
  switch (state_) {
    case State::outside: return enter(State::run);
    case State::run:
      if (key_ == "labels") return enter(State::labels);
      if (key_ == "environment") return enter(State::environment);
      if (key_ == "clocks") return enter(State::clocks);
      return is_one_of(key_, "time", "points") ? expected("an object") : skip();
    case State::points:
      name_.clear(), metric_.clear(), unit_.clear(), note_.clear(), configuration_.clear(), samples_.clear();
      has_direction_ = false;
      return enter(State::point);
    case State::point:
      if (key_ == "configuration") return enter(State::configuration);
      return is_one_of(key_, "name", "metric", "unit", "note", "direction", "samples") ? expected("an object") : skip();
    case State::labels:
    case State::environment:
    case State::clocks:
    case State::configuration:
    case State::samples: return expected("an object");
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::end_object() {
  if (skipped_ > 0) return --skipped_, true;
  switch (state_) {
    case State::point: return end_point();
    case State::configuration: return enter(State::point);
    case State::run: return enter(State::outside);
    default: return enter(State::run);
  }
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::start_array(std::size_t) {
  if (skipped_ > 0) return skip();
  if (state_ == State::run && key_ == "points") return points_ = 0, enter(State::points);
  if (state_ == State::point && key_ == "samples") return enter(State::samples);
  const bool unknown =
      (state_ == State::run && !is_one_of(key_, "time", "labels", "environment", "clocks")) ||
      (state_ == State::point && !is_one_of(key_, "name", "metric", "unit", "note", "direction", "configuration"));
  return unknown ? skip() : expected("a list");
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::number(double value) {
  if (skipped_ > 0) return true;
  if (state_ != State::samples) return scalar("a number");
  if (!are_samples({&value, 1})) return refuse("sample " + number_text(value) + " is beyond 1e150");
  samples_.push_back(value);
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::scalar(const char* kind) {
  if (skipped_ > 0) return true;
  const bool unknown =
      (state_ == State::run && !is_one_of(key_, "time", "labels", "environment", "clocks", "points")) ||
      (state_ == State::point &&
       !is_one_of(key_, "name", "metric", "unit", "note", "direction", "configuration", "samples"));
  return unknown || expected(kind);
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::expected(const char* kind) {
  const char* wanted = "a text";
  if (state_ == State::outside || state_ == State::points)
    wanted = "an object";
  else if (state_ == State::samples)
    wanted = "a number";
  else if (is_one_of(key_, "labels", "environment", "clocks", "configuration"))
    wanted = "an object of texts";
  else if (is_one_of(key_, "points", "samples"))
    wanted = "a list";
  return refuse(std::string(kind) + " where " + wanted + " belongs");
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::refuse(const std::string& why) {
  std::string place;
  if (state_ == State::point || state_ == State::configuration || state_ == State::samples)
    place = "points[" + std::to_string(points_) + "]";
  if (state_ == State::configuration) place += ".configuration";
  if (!key_.empty() && state_ != State::points) place += (place.empty() ? "" : ".") + clipped(visible(key_), 40);
  error_ = place.empty() ? why : place + ": " + why;
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineReader::end_point() {
  key_.clear();
  if (name_.empty()) return refuse("the member \"name\" is missing or empty");
  if (metric_.empty()) return refuse("the member \"metric\" is missing or empty");
  if (!has_direction_) return refuse("the member \"direction\" is missing");
  if (samples_.empty()) return refuse("the member \"samples\" is missing or empty");
  series_.push_back(series_index());
  HistorySeries& own = history_.series[series_.back()];
  own.points.push_back({history_.runs.size() - 1, samples_, note_});
  if (own.unit != unit_) {
    convert(own.points.back().samples, unit_, own.unit);
    converted_ = true;
    if (!are_samples(own.points.back().samples)) return refuse("a sample is beyond 1e150 in the unit of its series");
  }
  ++points_;
  return enter(State::points);
}

ASSAY_DETAIL_HEADER_INLINE std::size_t HistoryLineReader::series_index() {
  raw_.assign(name_).append(1, '\0').append(metric_).append(1, '\0').append(unit_).append(
      1, direction_ == Direction::lower_is_better ? '-' : '+');
  for (const auto& [key, value] : configuration_) raw_.append(1, '\0').append(key).append(1, '\0').append(value);
  const auto found = known_.find(raw_);
  if (found != known_.end() && history_.series[found->second].direction == direction_) return found->second;
  const std::size_t index = history_.series_of(name_, configuration_, metric_, unit_, direction_);
  known_[raw_] = index;
  return index;
}

}  // namespace assay::inline v0::detail
