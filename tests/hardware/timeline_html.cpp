#include "assay/hardware/timeline_html.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "telemetry/simulated_recording.hpp"
#include "testing/catch.hpp"

namespace {

using assay::Quantity;
using assay::testing::SimulatedRecording;

/// A GPU that gets hot after two minutes, is slowed down, and is lost in the end.
assay::Recording eventful() {
  const auto degrees = [](double t) { return 88 - 58 * std::exp(-t / 60); };
  auto simulated =
      SimulatedRecording(240)
          .gauge(Quantity::power, "",
                 [](double t) {
                   return t < 20 ? 90 + 30 * t : t < 150 ? 690 + 12 * std::sin(t) : 560 + 15 * std::sin(3 * t);
                 })
          .limit(Quantity::power_limit, 700, "", "enforced")
          .gauge(Quantity::temperature, "gpu", degrees)
          .gauge(Quantity::temperature, "memory", [=](double t) { return degrees(t) - 6; })
          .limit(Quantity::temperature_limit, 87, "gpu", "slowdown")
          .gauge(Quantity::clock, "sm", [](double t) { return t < 150 ? 1.755e9 : 1.2e9; })
          .energy([](double t) { return t < 150 ? 690.0 : 560.0; })
          .reasons([](double t) { return t < 20    ? 1u
                                         : t < 150 ? 4u
                                                   : 0x44u; })
          .silent(100, 106, assay::ReadingState::failed, "busy")
          .silent(225, 241, assay::ReadingState::lost, "GPU is lost");
  assay::Recording& recording = simulated.recording();
  recording.events.push_back({recording.begin_nanoseconds + 225'000'000'000, "0000:3b:00.0", "xid", 79, "reboot", true,
                              "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus <script>"});
  return recording;
}

}  // namespace

TEST_CASE("a timeline shows courses, limits, bands and events") {
  const assay::Recording recording = eventful();
  const std::string page = assay::timeline_html(recording);
  for (const char* part :
       {"power (W)", "temperature (°C)", "clock (MHz)", "enforced 700", "slowdown 87", "hardware_thermal", "power_cap",
        "b-heat", "b-lost", "b-none", "xid 79", "reboot", "gpu/GPU-0"}) {
    INFO(part);
    CHECK(page.find(part) != std::string::npos);
  }
  CHECK(page.find("<script>") == std::string::npos);
  CHECK(page.find("nan") == std::string::npos);
  // 2,400 polls of 5 sensors are drawn by columns.
  CHECK(page.size() < 200'000);
  if (const char* file = std::getenv("ASSAY_TIMELINE_FILE")) std::ofstream(file) << page;
}

TEST_CASE("a timeline of nothing, of one reading, and of hostile names") {
  CHECK(assay::timeline_html({}).find("No device told") != std::string::npos);
  assay::Recording one;
  one.add({{"<b>", "\"&\x01", "gpu", ""}}, {{0, Quantity::power, "<i>", "", 1, {}, false}});
  one.add(assay::Reading::of(0, 0, 5));
  const std::string page = assay::timeline_html(one);
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("<i>") == std::string::npos);
  one.add(assay::Reading::of(0, 1, std::nan("")));
  one.add(assay::Reading::of(0, 2, 1e308));
  one.add(assay::Reading::of(0, 3, -1e308));
  CHECK(assay::timeline_html(one).find("</html>") != std::string::npos);
}

TEST_CASE("timeline: its sections and their style are parts of other pages") {
  const assay::Recording recording = eventful();
  const std::string page = assay::timeline_html(recording), sections = assay::timeline_sections(recording);
  CHECK(sections.find("<html") == std::string::npos);
  CHECK(sections.find("<svg") != std::string::npos);
  CHECK(page.find(sections) != std::string::npos);
  CHECK(page.find(assay::timeline_style_text()) != std::string::npos);
}
