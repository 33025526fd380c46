#include "assay/performance/clock_state.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testing/catch.hpp"

using namespace assay;
namespace fs = std::filesystem;

namespace {

/// A folder that looks as the kernel's does.
struct Processors {
  fs::path root;
  Processors() {
    std::string name = (fs::temp_directory_path() / "assay-cpu-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root = name;
  }
  ~Processors() { fs::remove_all(root); }
  void put(const std::string& path, const std::string& text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text << "\n";
  }
};

}  // namespace

TEST_CASE("what the kernel tells of the clock is read over all processors") {
  const Processors cpu;
  cpu.put("cpu0/cpufreq/scaling_cur_freq", "2400000");
  cpu.put("cpu0/cpufreq/scaling_max_freq", "3600000");
  cpu.put("cpu0/cpufreq/scaling_governor", "powersave");
  cpu.put("cpu0/thermal_throttle/core_throttle_count", "3");
  cpu.put("cpu0/thermal_throttle/package_throttle_count", "4");
  cpu.put("cpu17/cpufreq/scaling_cur_freq", "3600000");
  cpu.put("cpu17/cpufreq/scaling_governor", "performance");
  cpu.put("cpu17/thermal_throttle/core_throttle_count", "5");
  cpu.put("cpufreq/boost", "0");
  cpu.put("cpuidle/cpufreq/scaling_cur_freq", "1");  // no processor
  CpuClockState state = read_cpu_clock_state(cpu.root);
  CHECK(state.lowest_hertz == 2.4e9);
  CHECK(state.highest_hertz == 3.6e9);
  CHECK(state.limit_hertz == 3.6e9);
  CHECK(state.governor == "performance,powersave");
  CHECK(state.boost == false);
  CHECK(state.throttle_events == 12u);

  const CpuClockState before = state;
  CHECK(throttled_between(before, state) == false);
  state.throttle_events = 14;
  CHECK(throttled_between(before, state) == true);
  const auto summary = clock_summary(before, state);
  CHECK(summary.at("mhz_before") == "2400..3600");
  CHECK(summary.at("governor") == "performance,powersave");
  CHECK(summary.at("boost") == "off");
  CHECK(summary.at("throttle_events") == "2");
}

TEST_CASE("Intel's driver says the opposite of boost") {
  const Processors cpu;
  cpu.put("intel_pstate/no_turbo", "0");
  CHECK(read_cpu_clock_state(cpu.root).boost == true);
}

TEST_CASE("what the kernel does not tell, or tells in no number, is unknown, not zero") {
  const Processors cpu;
  cpu.put("cpu0/cpufreq/scaling_cur_freq", "<unknown>");
  cpu.put("cpu0/thermal_throttle/core_throttle_count", "-1");
  for (const fs::path& root : {cpu.root, cpu.root / "absent"}) {
    const CpuClockState state = read_cpu_clock_state(root);
    CHECK_FALSE(state.lowest_hertz);
    CHECK_FALSE(state.limit_hertz);
    CHECK_FALSE(state.boost);
    CHECK_FALSE(state.throttle_events);
    CHECK(state.governor.empty());
    CHECK_FALSE(throttled_between(state, state));
    for (const auto& [name, value] : clock_summary(state, state)) {
      CAPTURE(name);
      CHECK(value == "unknown");
    }
  }
}
