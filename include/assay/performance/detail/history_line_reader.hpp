#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/performance/history.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// Adds the runs of lines to a history as their JSON is read, without a document in between: files have millions of points.
/// Members that it does not know, it skips.
class HistoryLineReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HistoryLineReader(History& history) : history_(history) {}

  /// What is wrong with the line; empty if nothing. After that, the history is of no use.
  [[nodiscard]] std::string read(std::string_view line) {
    error_.clear();
    key_.clear();
    state_ = State::outside;
    skipped_ = 0;
    has_time_ = false;
    series_.clear();
    history_.runs.emplace_back();
    nlohmann::json::sax_parse(line.begin(), line.end(), this);
    if (error_.empty() && !has_time_) error_ = "the member \"time\" is missing";
    return error_;
  }

  /// The series of the points of the line that was read last, in their order.
  [[nodiscard]] const std::vector<std::size_t>& series_of_line() const noexcept { return series_; }

  bool null() override { return scalar("null"); }
  bool boolean(bool) override { return scalar("a truth value"); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool binary(binary_t&) override { return refuse("binary data, which JSON text cannot hold"); }

  bool string(string_t& value) override {
    if (skipped_ > 0) return true;
    switch (state_) {
      case State::run:
        if (key_ == "time") {
          const auto time = parse_utc_time(value);
          if (!time) return refuse("'" + clipped(visible(value), 40) + "' is no time; a time reads 2025-01-02T03:04:05.678Z");
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
          if (!direction) return refuse("'" + clipped(visible(value), 40) + "' is no direction; it is lower_is_better or higher_is_better");
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

  bool start_object(std::size_t) override {
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

  bool end_object() override {
    if (skipped_ > 0) return --skipped_, true;
    switch (state_) {
      case State::point: return end_point();
      case State::configuration: return enter(State::point);
      case State::run: return enter(State::outside);
      default: return enter(State::run);
    }
  }

  bool start_array(std::size_t) override {
    if (skipped_ > 0) return skip();
    if (state_ == State::run && key_ == "points") return points_ = 0, enter(State::points);
    if (state_ == State::point && key_ == "samples") return enter(State::samples);
    const bool unknown = (state_ == State::run && !is_one_of(key_, "time", "labels", "environment", "clocks")) ||
                         (state_ == State::point && !is_one_of(key_, "name", "metric", "unit", "note", "direction", "configuration"));
    return unknown ? skip() : expected("a list");
  }

  bool end_array() override {
    if (skipped_ > 0) return --skipped_, true;
    return enter(state_ == State::samples ? State::point : State::run);
  }

  bool key(string_t& name) override {
    if (skipped_ == 0) key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t byte, const std::string& token, const nlohmann::detail::exception& cause) override {
    std::string text = cause.what();
    if (const std::size_t end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
    return refuse("no valid JSON at byte " + std::to_string(byte) + (token.empty() ? "" : " ('" + clipped(visible(token), 40) + "')") +
                  ": " + visible(text));
  }

 private:
  enum class State { outside, run, labels, environment, clocks, points, point, configuration, samples };

  static bool is_one_of(std::string_view text, auto... names) { return ((text == names) || ...); }

  RunOrigin& origin() { return history_.runs.back(); }
  bool enter(State state) { return state_ = state, true; }
  bool skip() { return ++skipped_, true; }
  bool put(TextMap& map, std::string& value) {
    return map.emplace(key_, std::move(value)).second || refuse("a second member of this name");
  }

  bool number(double value) {
    if (skipped_ > 0) return true;
    if (state_ != State::samples) return scalar("a number");
    if (!are_samples({&value, 1})) return refuse("sample " + number_text(value) + " is beyond 1e150");
    samples_.push_back(value);
    return true;
  }

  /// A value of a kind that no member that we know has.
  bool scalar(const char* kind) {
    if (skipped_ > 0) return true;
    const bool unknown =
        (state_ == State::run && !is_one_of(key_, "time", "labels", "environment", "clocks", "points")) ||
        (state_ == State::point && !is_one_of(key_, "name", "metric", "unit", "note", "direction", "configuration", "samples"));
    return unknown || expected(kind);
  }

  bool expected(const char* kind) {
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

  bool refuse(const std::string& why) {
    std::string place;
    if (state_ == State::point || state_ == State::configuration || state_ == State::samples)
      place = "points[" + std::to_string(points_) + "]";
    if (state_ == State::configuration) place += ".configuration";
    if (!key_.empty() && state_ != State::points) place += (place.empty() ? "" : ".") + clipped(visible(key_), 40);
    error_ = place.empty() ? why : place + ": " + why;
    return false;
  }

  bool end_point() {
    key_.clear();
    if (name_.empty()) return refuse("the member \"name\" is missing or empty");
    if (metric_.empty()) return refuse("the member \"metric\" is missing or empty");
    if (!has_direction_) return refuse("the member \"direction\" is missing");
    if (samples_.empty()) return refuse("the member \"samples\" is missing or empty");
    series_.push_back(series_index());
    history_.series[series_.back()].points.push_back({history_.runs.size() - 1, samples_, note_});
    ++points_;
    return enter(State::points);
  }

  /// `History::series_of`, remembered by what stands in the file, since escaping the key of every point would take most of the time.
  std::size_t series_index() {
    raw_.assign(name_).append(1, '\0').append(metric_).append(1, '\0').append(unit_).append(
        1, direction_ == Direction::lower_is_better ? '-' : '+');
    for (const auto& [key, value] : configuration_) raw_.append(1, '\0').append(key).append(1, '\0').append(value);
    const auto found = known_.find(raw_);
    if (found != known_.end() && history_.series[found->second].direction == direction_) return found->second;
    const std::size_t index = history_.series_of(name_, configuration_, metric_, unit_, direction_);
    known_[raw_] = index;
    return index;
  }

  History& history_;
  std::string error_;
  std::string key_;
  State state_ = State::outside;
  std::size_t skipped_ = 0;  ///< depth below a member that is skipped
  std::size_t points_ = 0;
  bool has_time_ = false;
  bool has_direction_ = false;
  std::string name_, metric_, unit_, note_, raw_;
  Direction direction_ = Direction::lower_is_better;
  TextMap configuration_;
  std::vector<double> samples_;
  std::vector<std::size_t> series_;
  std::unordered_map<std::string, std::size_t> known_;
};

}  // namespace assay::inline v0::detail
