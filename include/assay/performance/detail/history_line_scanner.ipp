#pragma once

#include "assay/performance/detail/history_line_scanner.hpp"

#include <charconv>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string HistoryLineScanner::read(std::string_view line, std::size_t end_length) {
  const std::string_view body = line.substr(0, line.size() - end_length);
  const std::size_t head = body.find(points_head);
  if (head != body.npos && body.ends_with("}]") &&
      scan(body.substr(head + points_head.size(), body.size() - head - points_head.size() - 1))) {
    if (!begin_as_before(body.substr(0, head))) {
      head_.assign(body.substr(0, head)).append("}");
      if (const std::string wrong = reader_.read(head_); !wrong.empty()) return wrong;
      const std::size_t time = head_.find(time_head), rest = time + time_head.size() + time_length;
      shared_ = time == head_.npos || rest >= head_.size() ? std::string() : head_.substr(rest, head - rest);
    }
    commit();
    return {};
  }
  shared_.clear();
  const std::string wrong = reader_.read(line);
  if (wrong.empty() && head != body.npos && !reader_.converted()) learn(body.substr(head + points_head.size()));
  return wrong;
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineScanner::scan(std::string_view points) {
  found_.clear();
  samples_.clear();
  while (true) {
    const std::size_t start = points.find(samples_head);
    if (start == points.npos) return false;
    const auto known = known_.find(points.substr(0, start));
    if (known == known_.end() || history_.series[known->second.series].direction != known->second.direction)
      return false;
    points.remove_prefix(start + samples_head.size());
    while (true) {
      double value = 0;
      const auto parsed = std::from_chars(points.data(), points.data() + points.size(), value);
      if (parsed.ec != std::errc() || parsed.ptr == points.data() + points.size()) return false;
      samples_.push_back(value);
      points.remove_prefix(static_cast<std::size_t>(parsed.ptr - points.data()) + 1);
      if (*parsed.ptr == ']') break;
      if (*parsed.ptr != ',') return false;
    }
    found_.push_back({known->second.series, samples_.size(), {}});
    if (points.starts_with(note_head)) {
      points.remove_prefix(note_head.size());
      const std::size_t end = points.find_first_of("\"\\");
      if (end == points.npos || points[end] == '\\') return false;
      found_.back().note = points.substr(0, end);
      points.remove_prefix(end + 1);
    }
    if (points == "}") return are_samples(samples_);
    if (!points.starts_with("},")) return false;
    points.remove_prefix(2);
  }
}

ASSAY_DETAIL_HEADER_INLINE bool HistoryLineScanner::begin_as_before(std::string_view head) {
  const std::size_t schema = head.find(',');
  if (shared_.empty() || schema == head.npos || !head.substr(schema).starts_with(time_head)) return false;
  const std::size_t at = schema + time_head.size();
  if (head.size() != at + time_length + shared_.size() || !head.ends_with(shared_)) return false;
  const auto time = parse_utc_time(head.substr(at, time_length));
  if (!time || shared_[0] != '"') return false;
  RunOrigin origin = history_.runs.back();
  origin.time = *time;
  history_.runs.push_back(std::move(origin));
  return true;
}

ASSAY_DETAIL_HEADER_INLINE void HistoryLineScanner::commit() {
  const std::size_t run = history_.runs.size() - 1;
  std::size_t begin = 0;
  for (const Found& found : found_) {
    const auto at = [&](std::size_t index) { return samples_.begin() + static_cast<std::ptrdiff_t>(index); };
    history_.series[found.series].points.push_back(
        {run, std::vector<double>(at(begin), at(found.end_of_samples)), std::string(found.note)});
    begin = found.end_of_samples;
  }
}

ASSAY_DETAIL_HEADER_INLINE void HistoryLineScanner::learn(std::string_view points) {
  constexpr std::string_view name_head = "{\"name\":\"";
  for (const std::size_t series : reader_.series_of_line()) {
    const std::size_t start = points.find(samples_head), end = start == points.npos ? start : points.find(']', start);
    if (end == points.npos || !points.starts_with(name_head)) return;
    const std::string_view known = points.substr(0, start);
    points.remove_prefix(end + 1);
    if (points.starts_with(note_head)) {
      const std::size_t note_end = points.find_first_of("\"\\", note_head.size());
      if (note_end == points.npos || points[note_end] == '\\') return;
      points.remove_prefix(note_end + 1);
    }
    const bool more = points.starts_with("},") && points.substr(2).starts_with(name_head);
    if (!more && !points.starts_with("}]")) return;
    known_.insert_or_assign(std::string(known), Known{series, history_.series[series].direction});
    points.remove_prefix(2);
  }
}

}  // namespace assay::inline v0::detail
