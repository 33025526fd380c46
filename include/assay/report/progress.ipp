#pragma once

#include "assay/report/progress.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string rough_duration_text(double seconds) {
  if (seconds < 10) return "a few seconds";
  const double step = seconds < 60 ? 5 : seconds < 600 ? 10 : seconds < 7200 ? 60 : 600;
  const auto whole = static_cast<std::int64_t>(std::min(std::ceil(seconds / step) * step, 3.6e9));
  const std::int64_t hours = whole / 3600, minutes = whole % 3600 / 60, rest = whole % 60;
  if (hours >= 100) return "more than 100 h";
  std::string text = "about";
  if (hours > 0) text += " " + std::to_string(hours) + " h";
  if (minutes > 0) text += " " + std::to_string(minutes) + " min";
  if (rest > 0) text += " " + std::to_string(rest) + " s";
  return text;
}

ASSAY_DETAIL_HEADER_INLINE void Progress::case_finished(const std::string& id, bool bad, double now) {
  ++done_;
  bad_ += bad ? 1 : 0;
  last_finish_ = now;
  std::size_t place = 0;
  while (place < running_.size() && running_[place].id != id) ++place;
  if (place < running_.size()) running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(place));
}

ASSAY_DETAIL_HEADER_INLINE std::string Progress::line(double now) const {
  std::string text = std::to_string(done_) + "/" + std::to_string(planned_);
  if (bad_ > 0) text += ", " + std::to_string(bad_) + " bad";
  if (done_ > 0 && last_finish_ > 0) text += "  " + number_text(static_cast<double>(done_) / last_finish_, 2) + "/s";
  if (now >= 1) text += "  " + duration_text(std::floor(now));
  if (const auto left = remaining_seconds(now)) text += ", " + rough_duration_text(*left) + " left";
  if (running_.empty()) return text;
  text += "  " + visible(running_.front().id);
  if (const double since = now - running_.front().start; since >= 10)
    text += " for " + duration_text(std::floor(since));
  if (running_.size() > 1) text += " and " + std::to_string(running_.size() - 1) + " more";
  return text;
}

}  // namespace assay::inline v0
