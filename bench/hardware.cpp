// What testing a machine costs: March C- beside memtester on the same bytes, and what checking every tile of a stress
// costs.
//
//   bench_hardware [--mebibytes N] [--rounds R] [--seconds S] [--memtester PROGRAM]
//
// All times are processor time, so that what else runs counts little. Rounds interleave; printed are medians and
// ratios, as Markdown. memtester is left out, and said so, where it is not there. Exit code: 0, 1 where something was
// found wrong, 2 for wrong arguments.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "assay/hardware/detail/pinned_threads.hpp"
#include "assay/hardware/memory/host_memory.hpp"
#include "assay/hardware/memory/march_host.hpp"
#include "assay/hardware/stress/stress.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

double processor_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double children_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Processor time of one loop of memtester over so many MiB; negative: it could not be run.
double memtester_seconds(const std::string& program, std::size_t mebibytes) {
  const double before = children_seconds();
  const std::string size = std::to_string(mebibytes) + "M";
  const pid_t child = ::fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
      ::_exit(127);
    ::execlp(program.c_str(), program.c_str(), size.c_str(), "1", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return children_seconds() - before;
}

struct Arguments {
  std::size_t mebibytes = 128, rounds = 5;
  double seconds = 1;
  std::string memtester = "memtester";
};

int march_beside_memtester(const Arguments& arguments) {
  const auto memory = HostMemory::take(arguments.mebibytes << 20);
  if (!memory) return std::fprintf(stderr, "%s\n", memory.error().message.c_str()), 2;
  MarchHostOptions options;
  options.processors = {detail::chosen_processors({}).front()};
  const MarchTest reading = parse_march("read", "*(w0); *(r0); *(r0); *(r0); *(r0)").value();
  const MarchTest writing = parse_march("write", "*(w0)").value();
  MarchTest march = march_named("march_c-").value();
  march.backgrounds = BackgroundSet::solid;
  const auto timed = [&](MarchTest test) {
    test.backgrounds = BackgroundSet::solid;
    const double start = processor_seconds();
    const MarchHostResult result = march_host(memory.value().words(), test, options);
    return result.complete && result.wrong_reads == 0 ? processor_seconds() - start : -1;
  };
  std::vector<double> reads, marches;
  for (std::size_t round = 0; round < arguments.rounds; ++round) {
    reads.push_back((timed(reading) - timed(writing)) / 4);
    marches.push_back(timed(march));
  }
  const double bytes = static_cast<double>(arguments.mebibytes) * 1048576;
  const double read = median(reads), whole = median(marches);
  const double peer = memtester_seconds(arguments.memtester, arguments.mebibytes);
  std::printf("| March C-, %zu MiB, one thread | |\n|---|---|\n", arguments.mebibytes);
  std::printf("| tested, a background | %.3f GB/s |\n| read passes, a background | %.1f |\n", bytes / whole / 1e9,
              whole / read);
  if (peer > 0)
    std::printf(
        "| memtester, one loop | %.4f GB/s |\n| March C-, one background : memtester | %.0f |\n"
        "| March C-, 7 backgrounds : memtester | %.0f |\n",
        bytes / peer / 1e9, peer / whole, peer / whole / 7);
  else
    std::printf("| memtester | '%s' could not be run |\n", arguments.memtester.c_str());
  return whole > 0 ? 0 : 1;
}

int cost_of_checking(const Arguments& arguments) {
  std::printf(
      "\n| format | K | unchecked, Gop/s a processor second | checked | checking costs |\n|---|---|---|---|---|\n");
  bool right = true;
  for (const std::string& format : stress_formats())
    for (const std::size_t depth : {128u, 256u, 512u}) {
      std::vector<double> rates[2];
      for (std::size_t round = 0; round < 2 * arguments.rounds; ++round) {
        StressOptions options;
        options.processors = {detail::chosen_processors({}).front()};
        options.seconds = arguments.seconds;
        options.depth = depth;
        options.checked = round % 2 == 1;
        const auto result = run_stress(format, options);
        if (!result || result.value().workers.empty()) return 2;
        const StressWorker& worker = result.value().workers.front();
        right = right && worker.wrong_tiles == 0;
        rates[round % 2].push_back(worker.operations / worker.processor_seconds / 1e9);
      }
      const double without = median(rates[0]), with = median(rates[1]);
      std::printf("| %s | %zu | %.1f | %.1f | %.1f %% |\n", format.c_str(), depth, without, with,
                  100 * (1 - with / without));
    }
  return right ? 0 : 1;
}

}  // namespace

int main(int count, char** given) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string name = given[i];
    const char* const value = ++i < count ? given[i] : "";
    const auto number = [&](auto& into) {
      const auto read = std::from_chars(value, value + std::strlen(value), into);
      return read.ec == std::errc() && *read.ptr == '\0' && into > 0;
    };
    const bool known = name == "--mebibytes" ? number(arguments.mebibytes)
                       : name == "--rounds"  ? number(arguments.rounds)
                       : name == "--seconds" ? number(arguments.seconds)
                                             : name == "--memtester" && *(arguments.memtester = value).c_str() != '\0';
    if (!known) {
      std::fprintf(stderr, "usage: bench_hardware [--mebibytes N] [--rounds R] [--seconds S] [--memtester PROGRAM]\n");
      return 2;
    }
  }
  const int memory = march_beside_memtester(arguments);
  const int stress = cost_of_checking(arguments);
  return std::max(memory, stress);
}
