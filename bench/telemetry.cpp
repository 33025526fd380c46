// What watching costs: the share of a core that recording takes, from sources to the file.
//
//   bench_telemetry [--seconds S] [--interval S] [--root DIR] [--worker PROGRAM LIBRARY]
//
// sysfs is read from DIR, or from a tree that is made: two packages of 64 cores, 8 accelerators behind ports. Such a
// tree is opened anew at every poll, which /sys is not. --worker has NVML asked by PROGRAM (tests' telemetry_worker) of
// LIBRARY (tests' scripted library, with ASSAY_NVML_SCRIPT). Processor time is that of the process and its workers.
// Exit code: 0, or 2 for wrong arguments and sources that do not open.
// components: json

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "assay/telemetry/recorder.hpp"
#include "assay/telemetry/recording_file.hpp"
#include "assay/telemetry/sysfs.hpp"
#include "assay/telemetry/worker_source.hpp"

namespace {

namespace fs = std::filesystem;

double processor_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      sum += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return sum;
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text << '\n';
}

void make_tree(const fs::path& root) {
  for (int cpu = 0; cpu < 128; ++cpu) {
    const fs::path own = root / "devices/system/cpu" / ("cpu" + std::to_string(cpu));
    write(own / "topology/physical_package_id", std::to_string(cpu / 64));
    write(own / "topology/core_id", std::to_string(cpu % 64));
    write(own / "cpufreq/scaling_cur_freq", "3100000");
    write(own / "cpufreq/scaling_max_freq", "3700000");
    write(own / "thermal_throttle/core_throttle_count", "0");
    write(own / "thermal_throttle/package_throttle_count", "0");
  }
  for (int card = 0; card < 8; ++card) {
    const std::string number = std::to_string(card), address = "0000:" + number + "1:00.0";
    const fs::path port = root / "devices/pci0000:00" / ("0000:00:0" + number + ".0"), device = port / address;
    for (const fs::path& folder : {port, device}) {
      write(folder / "class", folder == port ? "0x060400" : "0x030200");
      write(folder / "current_link_speed", "32.0 GT/s PCIe");
      write(folder / "current_link_width", "16");
      write(folder / "aer_dev_correctable", "RxErr 0\nBadTLP 0\nTOTAL_ERR_COR 0");
    }
    const fs::path chip = device / "hwmon" / ("hwmon" + number);
    write(chip / "name", "amdgpu");
    for (const char* file : {"temp1_input", "temp2_input", "temp3_input"}) write(chip / file, "61000");
    write(chip / "power1_average", "700000000");
    write(chip / "freq1_input", "2100000000");
    fs::create_directories(root / "class/hwmon");
    fs::create_directories(root / "bus/pci/devices");
    fs::create_directory_symlink(fs::relative(chip, root / "class/hwmon"), root / "class/hwmon" / ("hwmon" + number));
    fs::create_directory_symlink(fs::relative(device, root / "bus/pci/devices"), root / "bus/pci/devices" / address);
    fs::create_directory_symlink("../..", chip / "device");
  }
}

/// Records one source, and prints a row.
int measure(const std::string& name, const std::function<assay::AnySource()>& open, double seconds, double interval,
            const fs::path& folder) {
  const double before_all = processor_seconds();
  std::vector<assay::AnySource> sources;
  sources.push_back(open());
  const std::size_t sensors = sources.front().sensors().size();
  double started = 0, ended = 0;
  std::size_t polls = 0, readings = 0;
  {
    std::optional<assay::RecordingWriter> writer;
    assay::RecorderOptions options;
    options.interval_seconds = interval;
    options.keep = false;
    options.observer = [&](const std::vector<assay::Reading>& some, const std::vector<assay::TelemetryEvent>& events) {
      writer->write(some, events);
      ++polls;
      readings += some.size();
    };
    assay::Recorder recorder(std::move(sources), options);
    auto created = assay::RecordingWriter::create(folder / (name + ".jsonl"), recorder.description());
    if (!created) return std::fprintf(stderr, "%s\n", created.error().message.c_str()), 2;
    writer.emplace(std::move(created).value());
    started = processor_seconds();
    recorder.start();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    static_cast<void>(recorder.stop());
  }  // workers have ended, and are counted with all that they used, the beginning included
  ended = processor_seconds();
  const double used = name == "sysfs" ? ended - started : ended - before_all;
  std::printf("| %s | %zu | %zu | %.1f | %.3f |\n", name.c_str(), sensors, readings / std::max<std::size_t>(polls, 1),
              1e6 * used / static_cast<double>(polls), 100 * used / seconds);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = 20, interval = 0.1;
  fs::path root;
  std::vector<std::string> worker;
  for (int i = 1; i < count; ++i) {
    const std::string option = arguments[i];
    if (option == "--seconds" && i + 1 < count)
      seconds = std::atof(arguments[++i]);
    else if (option == "--interval" && i + 1 < count)
      interval = std::atof(arguments[++i]);
    else if (option == "--root" && i + 1 < count)
      root = arguments[++i];
    else if (option == "--worker" && i + 2 < count)
      worker = {arguments[i + 1], "nvml", arguments[i + 2]}, i += 2;
    else
      return std::fprintf(stderr,
                          "bench_telemetry [--seconds S] [--interval S] [--root DIR] [--worker PROGRAM LIBRARY]\n"),
             2;
  }
  if (!(seconds > 0) || !(interval > 0)) return std::fprintf(stderr, "--seconds and --interval are above 0\n"), 2;
  const fs::path folder = fs::temp_directory_path() / ("assay-bench-telemetry-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  if (root.empty()) make_tree(root = folder / "sys");
  std::printf("| source | sensors | readings a poll | processor us a poll | %% of a core |\n|---|---|---|---|---|\n");
  int code = 0;
  try {
    code = measure(
        "sysfs",
        [&] {
          assay::SysfsOptions options;
          options.root = root;
          return assay::AnySource(assay::SysfsSource::open(options).value());
        },
        seconds, interval, folder);
    if (code == 0 && !worker.empty())
      code = measure(
          "nvml",
          [&] {
            assay::WorkerOptions options;
            options.command = worker;
            return assay::AnySource(assay::WorkerSource::open(options).value());
          },
          seconds, interval, folder);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    code = 2;
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return code;
}
