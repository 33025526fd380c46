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

/// Adds the runs of lines to a history as their JSON is read, without a document in between: files have millions of
/// points. Members that it does not know, it skips.
class HistoryLineReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HistoryLineReader(History& history) : history_(history) {}

  /// What is wrong with the line; empty if nothing. After that, the history is of no use.
  [[nodiscard]] std::string read(std::string_view line);

  /// The series of the points of the line that was read last, in their order.
  [[nodiscard]] const std::vector<std::size_t>& series_of_line() const noexcept { return series_; }

  /// Whether samples of that line were converted into the unit of their series.
  [[nodiscard]] bool converted() const noexcept { return converted_; }

  bool null() override { return scalar("null"); }
  bool boolean(bool) override { return scalar("a truth value"); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool binary(binary_t&) override { return refuse("binary data, which JSON text cannot hold"); }

  bool string(string_t& value) override;

  bool start_object(std::size_t) override;

  bool end_object() override;

  bool start_array(std::size_t) override;

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
    return refuse("no valid JSON at byte " + std::to_string(byte) +
                  (token.empty() ? "" : " ('" + clipped(visible(token), 40) + "')") + ": " + visible(text));
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

  bool number(double value);

  /// A value of a kind that no member that we know has.
  bool scalar(const char* kind);

  bool expected(const char* kind);

  bool refuse(const std::string& why);

  bool end_point();

  /// `History::series_of`, remembered by what stands in the file, since escaping the key of every point would take most
  /// of the time.
  std::size_t series_index();

  History& history_;
  std::string error_;
  std::string key_;
  State state_ = State::outside;
  std::size_t skipped_ = 0;  ///< depth below a member that is skipped
  std::size_t points_ = 0;
  bool has_time_ = false;
  bool has_direction_ = false;
  bool converted_ = false;  ///< a point of the line has another unit than its series
  std::string name_, metric_, unit_, note_, raw_;
  Direction direction_ = Direction::lower_is_better;
  TextMap configuration_;
  std::vector<double> samples_;
  std::vector<std::size_t> series_;
  std::unordered_map<std::string, std::size_t> known_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/history_line_reader.ipp"
#endif
