#pragma once

#include "assay/hardware/timeline_html.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/page_style.hpp"
#include "assay/report/text.hpp"
#include "assay/telemetry/throttle_reason.hpp"

namespace assay::inline v0 {

namespace detail {

inline constexpr const char* timeline_style = R"css(
svg.timeline{width:100%;max-width:60rem}.timeline .course{fill:none;stroke-width:1.4}.timeline .bound{stroke-dasharray:5 4;stroke-width:1.2;fill:none}
.timeline .s0{stroke:var(--link)}.timeline .s1{stroke:var(--fail)}.timeline .s2{stroke:var(--pass)}.timeline .s3{stroke:var(--warn)}.timeline .s4{stroke:var(--quick)}.timeline .s5{stroke:var(--idle)}
.timeline .b-heat{fill:var(--fail)}.timeline .b-power{fill:var(--warn)}.timeline .b-other{fill:var(--idle)}.timeline .b-lost{fill:var(--fail);opacity:.18}.timeline .b-none{fill:var(--idle);opacity:.25}
.timeline .name{fill:var(--ink);font-weight:600}
)css";

/// Draws one device of a recording.
class DeviceTimeline {
 public:
  DeviceTimeline(const Recording& recording, std::size_t device) : recording_(recording), device_(device) {
    duration_ = std::max(recording.duration_seconds(), 1e-9);
  }

  [[nodiscard]] std::string figure() {
    panel("power (W)", Quantity::power, Quantity::power_limit, 1);
    panel("temperature (°C)", Quantity::temperature, Quantity::temperature_limit, 1);
    panel("margin to the limit (°C)", Quantity::temperature_margin, Quantity::temperature_margin, 1);
    panel("clock (MHz)", Quantity::clock, Quantity::clock_limit, 1e-6);
    panel("utilization (%)", Quantity::utilization, Quantity::utilization, 100);
    const double charts = y_;
    bands();
    if (body_.empty()) return "<p class=\"note\">No sensor of this device told anything that is drawn over time.</p>";
    axis();
    const std::string height = coordinate(y_ + 26);
    const std::string shades = absences(charts);
    const std::string key =
        shades.empty() ? "" : "<p class=\"note\">Shaded gray: no value was told; red: the device was lost.</p>";
    return "<figure class=\"chart\"><svg class=\"timeline\" role=\"img\" aria-label=\"course of " +
           escaped_markup(recording_.devices[device_].id) + "\" viewBox=\"0 0 900 " + height + "\">" + shades + body_ +
           "</svg>" + key + "</figure>";
  }

 private:
  static constexpr double left = 64, width = 640, right = left + width;

  [[nodiscard]] double x_of(std::int64_t nanoseconds) const {
    return left + width * std::clamp(recording_.seconds(nanoseconds) / duration_, 0.0, 1.0);
  }

  /// The values of a sensor, and where they pause.
  void panel(const std::string& title, Quantity quantity, Quantity limits, double factor) {
    constexpr double height = 104;
    std::vector<std::size_t> shown;
    for (const std::size_t sensor : recording_.sensors_of(device_, quantity))
      if (recording_.last_value(sensor) && recording_.sensors[sensor].limits.empty()) shown.push_back(sensor);
    if (shown.empty()) return;
    const std::size_t total = shown.size();
    constexpr std::size_t most = 6;
    if (shown.size() > most) shown.resize(most);
    std::vector<std::size_t> bounds;
    if (limits != quantity)
      for (const std::size_t sensor : recording_.sensors_of(device_, limits))
        if (const auto value = recording_.last_value(sensor); value && std::isfinite(*value) && bounds.size() < 4)
          bounds.push_back(sensor);
    std::vector<double> values;
    for (const std::size_t sensor : shown)
      for (const Reading& reading : recording_.readings[sensor])
        if (reading.has_value() && std::isfinite(reading.value)) values.push_back(reading.value * factor);
    if (values.empty()) return;
    for (const std::size_t sensor : bounds) values.push_back(*recording_.last_value(sensor) * factor);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    ChartScale scale{std::min(*low, 0.0), *high, false};
    if (*low > 0.5 * *high) scale.low = *low - 0.15 * (*high - *low) - 0.02 * *high;
    scale.high += 0.05 * (scale.high - scale.low);
    if (!(scale.high > scale.low)) scale.high = scale.low + 1;
    const double top = y_ + 22, bottom = top + height;
    const auto y = [&](double value) { return coordinate(bottom - height * scale.position(value)); };
    body_ += "<text class=\"name\" x=\"" + coordinate(left) + "\" y=\"" + coordinate(y_ + 13) + "\">" +
             escaped_markup(title) + "</text>";
    double last_tick = std::numeric_limits<double>::infinity();
    for (const double tick : ticks(scale)) {
      const double at = bottom - height * scale.position(tick);
      if (std::fabs(at - last_tick) < 18) continue;
      last_tick = at;
      body_ += "<path class=\"grid\" d=\"M" + coordinate(left) + " " + y(tick) + "H" + coordinate(right) +
               "\"/><text x=\"" + coordinate(left - 6) + "\" y=\"" + y(tick) + "\" dy=\"4\" text-anchor=\"end\">" +
               tick_text(tick) + "</text>";
    }
    double legend = top + 8;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::string color = "s" + std::to_string(i % 6);
      body_ += "<path class=\"course " + color + "\" d=\"" + course(shown[i], factor, y) + "\"/>";
      const Sensor& sensor = recording_.sensors[shown[i]];
      entry(legend, color, "course", sensor.name.empty() ? std::string(name_of(quantity)) : sensor.name);
    }
    for (const std::size_t sensor : bounds) {
      const std::string level = y(*recording_.last_value(sensor) * factor);
      body_ += "<path class=\"bound s5\" d=\"M" + coordinate(left) + " " + level + "H" + coordinate(right) + "\"/>";
      const Sensor& described = recording_.sensors[sensor];
      entry(legend, "s5", "bound",
            described.limits + " " + number_text(*recording_.last_value(sensor) * factor, 4) +
                (described.name.empty() ? "" : ", " + described.name));
    }
    if (total > most) entry(legend, "s5", "", "and " + std::to_string(total - most) + " more");
    body_ += "<path class=\"axis\" d=\"M" + coordinate(left) + " " + coordinate(top) + "V" + coordinate(bottom) + "H" +
             coordinate(right) + "\"/>";
    y_ = bottom + 6;
  }

  void entry(double& at, const std::string& color, const char* kind, const std::string& text) {
    if (at > y_ + 22 + 108) return;
    if (*kind != '\0')
      body_ += "<path class=\"" + std::string(kind) + " " + color + "\" d=\"M" + coordinate(right + 10) + " " +
               coordinate(at) + "h18\"/>";
    body_ += "<text x=\"" + coordinate(right + 34) + "\" y=\"" + coordinate(at + 4) + "\">" +
             escaped_markup(clipped(visible(text), 26)) + "</text>";
    at += 16;
  }

  /// A path through the values; of those within one column, the first, lowest, highest and last.
  template <class Y>
  [[nodiscard]] std::string course(std::size_t sensor, double factor, Y y) const {
    const std::vector<Reading>& readings = recording_.readings[sensor];
    const double longest = recording_.sensors[sensor].seldom ? 60 : 3;
    std::string path;
    bool down = false;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < readings.size();) {
      const double x = x_of(readings[i].nanoseconds);
      double low = std::numeric_limits<double>::infinity(), high = -low, last = 0;
      std::size_t count = 0, next = i;
      for (; next < readings.size() && x_of(readings[next].nanoseconds) < x + 0.7; ++next) {
        const Reading& reading = readings[next];
        if (!reading.has_value() || !std::isfinite(reading.value)) {
          if (count > 0) break;
          down = false;
          continue;
        }
        const double value = reading.value * factor;
        if (count++ == 0) {
          if (down && static_cast<double>(reading.nanoseconds - before) * 1e-9 > longest) down = false;
          path += (down ? "L" : "M") + coordinate(x) + " " + y(value);
          down = true;
        }
        low = std::min(low, value);
        high = std::max(high, value);
        last = value;
        before = reading.nanoseconds;
      }
      if (count > 1) path += "V" + y(low) + "V" + y(high) + "V" + y(last);
      i = std::max(next, i + 1);
    }
    return path;
  }

  /// Stretches of readings for which `wanted` holds, each to the next reading.
  template <class Wanted>
  [[nodiscard]] std::vector<std::pair<double, double>> stretches(std::size_t sensor, Wanted wanted) const {
    std::vector<std::pair<double, double>> found;
    const std::vector<Reading>& readings = recording_.readings[sensor];
    for (std::size_t i = 0; i < readings.size(); ++i) {
      if (!wanted(readings[i])) continue;
      const double begin = x_of(readings[i].nanoseconds), end = i + 1 < readings.size()
                                                                    ? x_of(readings[i + 1].nanoseconds)
                                                                    : std::max(begin, x_of(recording_.end_nanoseconds));
      if (!found.empty() && begin - found.back().second < 0.3)
        found.back().second = std::max(found.back().second, end);
      else
        found.emplace_back(begin, std::max(end, begin + 0.8));
    }
    return found;
  }

  [[nodiscard]] static std::string rectangles(const std::vector<std::pair<double, double>>& stretches, double top,
                                              double height, const std::string& style) {
    std::string path;
    for (const auto& [begin, end] : stretches)
      path += "M" + coordinate(begin) + " " + coordinate(top) + "H" + coordinate(end) + "v" + coordinate(height) + "H" +
              coordinate(begin) + "z";
    return path.empty() ? "" : "<path class=\"" + style + "\" d=\"" + path + "\"/>";
  }

  void bands() {
    const auto sensor = recording_.sensor_of(device_, Quantity::throttle_reasons);
    if (!sensor || !recording_.last_value(*sensor)) return;
    body_ += "<text class=\"name\" x=\"" + coordinate(left) + "\" y=\"" + coordinate(y_ + 13) +
             "\">what held the clocks down</text>";
    y_ += 20;
    bool any = false;
    for (const ThrottleReason reason : all_throttle_reasons) {
      const auto found = stretches(
          *sensor, [&](const Reading& reading) { return reading.has_value() && has_reason(reading.count, reason); });
      if (found.empty()) continue;
      any = true;
      const bool heat = (static_cast<std::uint64_t>(reason) & thermal_reasons) != 0;
      const bool power = reason == ThrottleReason::power_cap || reason == ThrottleReason::power_brake ||
                         reason == ThrottleReason::board_limit;
      body_ += rectangles(found, y_, 11, heat ? "b-heat" : power ? "b-power" : "b-other");
      body_ += "<text x=\"" + coordinate(right + 10) + "\" y=\"" + coordinate(y_ + 10) + "\">" +
               std::string(name_of(reason)) + "</text>";
      y_ += 16;
    }
    if (!any) {
      body_ += "<text x=\"" + coordinate(left) + "\" y=\"" + coordinate(y_ + 10) + "\">nothing</text>";
      y_ += 16;
    }
  }

  /// Behind the charts: when nothing was told, and when the device was lost.
  [[nodiscard]] std::string absences(double height) const {
    std::optional<std::size_t> sensor;
    for (const Quantity quantity : {Quantity::power, Quantity::temperature, Quantity::clock})
      if (!sensor) sensor = recording_.sensor_of(device_, quantity);
    if (!sensor) return {};
    const auto in_state = [&](ReadingState state) {
      return stretches(*sensor, [=](const Reading& reading) { return reading.state == state; });
    };
    return rectangles(in_state(ReadingState::failed), 0, height, "b-none") +
           rectangles(in_state(ReadingState::lost), 0, height, "b-lost");
  }

  void axis() {
    const ChartScale time{0, duration_, false};
    for (const double tick : ticks(time)) {
      const std::string x = coordinate(left + width * tick / duration_);
      body_ += "<path class=\"grid\" d=\"M" + x + " " + coordinate(y_) + "v5\"/><text x=\"" + x + "\" y=\"" +
               coordinate(y_ + 18) + "\" text-anchor=\"middle\">" + tick_text(tick) + "</text>";
    }
    body_ += "<text x=\"" + coordinate(right + 10) + "\" y=\"" + coordinate(y_ + 18) + "\">time (s)</text>";
  }

  const Recording& recording_;
  std::size_t device_;
  double duration_ = 1, y_ = 0;
  std::string body_;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string counters_markup(const Recording& recording, std::size_t device) {
  std::string rows;
  for (std::size_t sensor = 0; sensor < recording.sensors.size(); ++sensor) {
    const Sensor& described = recording.sensors[sensor];
    if (described.device != device || !is_counter(described.quantity)) continue;
    const CounterChange change = counter_change(described, recording.readings[sensor]);
    if (change.steps == 0 || (change.counts == 0 && change.resets == 0)) continue;
    rows += "<tr><th>" + escaped_markup(visible(described.text())) + "</th><td class=\"n\">" +
            escaped_markup(quantity_text(change.amount, unit_of(described.quantity))) + "</td><td>" +
            (change.resets > 0 ? "set back " + std::to_string(change.resets) + " times: not all is known" : "") +
            "</td></tr>";
  }
  if (rows.empty()) return "<p class=\"note\">No counter of this device counted anything.</p>";
  return "<table class=\"measurements\"><tbody>" + rows + "</tbody></table>";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string timeline_figure(const Recording& recording, std::size_t device) {
  return detail::DeviceTimeline(recording, device).figure();
}

ASSAY_DETAIL_HEADER_INLINE std::string timeline_style_text() {
  return detail::timeline_style;
}

ASSAY_DETAIL_HEADER_INLINE std::string timeline_sections(const Recording& recording, const TimelineOptions& options) {
  std::vector<std::size_t> shown;
  for (std::size_t device = 0; device < recording.devices.size(); ++device) {
    bool wanted = std::find(options.devices.begin(), options.devices.end(), recording.devices[device].id) !=
                  options.devices.end();
    for (const Quantity quantity :
         {Quantity::power, Quantity::temperature, Quantity::clock, Quantity::throttle_reasons})
      if (const auto sensor = recording.sensor_of(device, quantity); sensor && options.devices.empty())
        wanted = wanted || !recording.readings[*sensor].empty();
    if (wanted) shown.push_back(device);
  }
  std::string page;
  for (const std::string& warning : recording.warnings)
    page += "<p class=\"alert\">" + escaped_markup(warning) + "</p>";
  if (shown.empty()) page += "<p class=\"alert\">No device told power, a temperature or a clock.</p>";
  const std::size_t most = std::min(shown.size(), options.most_devices);
  for (std::size_t i = 0; i < most; ++i) {
    const TelemetryDevice& device = recording.devices[shown[i]];
    page += "<section><h2>" + escaped_markup(device.id) + " <small>" + escaped_markup(device.name) + "</small></h2>" +
            timeline_figure(recording, shown[i]) + detail::counters_markup(recording, shown[i]) + "</section>";
  }
  if (most < shown.size())
    page += "<p class=\"note\">" + std::to_string(shown.size() - most) + " more devices are not shown.</p>";
  if (!recording.events.empty()) {
    constexpr std::size_t most_events = 200;
    page += "<h2>Events <small>" + std::to_string(recording.events.size()) +
            "</small></h2><div class=\"scroll\"><table "
            "class=\"data\"><thead><tr><th>time</th><th>kind</th><th>device</th><th>asks "
            "for</th><th>told</th></tr></thead><tbody>";
    for (std::size_t i = 0; i < std::min(recording.events.size(), most_events); ++i) {
      const TelemetryEvent& event = recording.events[i];
      page += "<tr><td class=\"n\">" + number_text(recording.seconds(event.nanoseconds), 4) + " s</td><td" +
              (event.fatal ? " class=\"fail\"" : "") + ">" +
              escaped_markup(event.kind + (event.code != 0 ? " " + std::to_string(event.code) : "")) + "</td><td>" +
              escaped_markup(event.device) + "</td><td>" + escaped_markup(event.action) + "</td><td>" +
              escaped_markup(clipped(visible(event.text), 200)) + "</td></tr>";
    }
    page += "</tbody></table></div>";
  }
  return page;
}

ASSAY_DETAIL_HEADER_INLINE std::string timeline_html(const Recording& recording, const TimelineOptions& options) {
  std::string page =
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>" +
      escaped_markup(options.title) + "</title><style>" + detail::page_style + detail::timeline_style +
      "</style></head><body><h1>" + escaped_markup(options.title) + "</h1><p class=\"verdict\">" +
      std::to_string(recording.devices.size()) + (recording.devices.size() == 1 ? " device, " : " devices, ") +
      duration_text(recording.duration_seconds()) + "</p>";
  if (!recording.started.empty())
    page += "<p class=\"note\">recorded from " + escaped_markup(recording.started) + "</p>";
  return page + timeline_sections(recording, options) + "</body></html>\n";
}

}  // namespace assay::inline v0
