#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/telemetry/recording.hpp"

namespace assay::inline v0 {

/// What of a recording is shown.
struct TimelineOptions {
  std::string title = "Telemetry";   ///< what stands above the page
  std::vector<std::string> devices;  ///< ids; none: all that told power, a temperature, a clock, or were throttled
  std::size_t most_devices = 64;     ///< beyond which a note says how many are left out
};

/// A recording as one HTML page that loads nothing: for each device power with its limits, temperatures with theirs,
/// clocks and utilization over one axis of time; below them bands for each throttle reason and for times without values;
/// a table of what counters counted, and the events. Of many points the lowest and highest of each column is drawn, so
/// peaks stay visible. O(readings).
[[nodiscard]] std::string timeline_html(const Recording& recording, const TimelineOptions& options = {});

/// The part of that page that shows one device, as figures for other pages with the same style.
[[nodiscard]] std::string timeline_figure(const Recording& recording, std::size_t device);

/// All of that page below its title, for other pages of the same style: a section a device, and the events.
[[nodiscard]] std::string timeline_sections(const Recording& recording, const TimelineOptions& options = {});

/// The rules of style, as CSS, that `timeline_sections` needs beside `page_style`.
[[nodiscard]] std::string timeline_style_text();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/timeline_html.ipp"
#endif
