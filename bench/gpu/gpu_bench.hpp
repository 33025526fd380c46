#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/cuda.hpp"
#include "assay/core/outcome.hpp"

/// What the benches on a GPU share: figures by the device's own events, in interleaved rounds, as ratios to what the
/// same run measures.
namespace gpu_bench {

using assay::Cuda;

template <class T>
[[nodiscard]] T or_give_up(assay::Result<T> result, const char* what) {
  if (result) return std::move(result).value();
  std::fprintf(stderr, "%s: %s\n", what, result.error().message.c_str());
  std::exit(1);
}
inline void or_give_up(const assay::Result<void>& result, const char* what) {
  if (result) return;
  std::fprintf(stderr, "%s: %s\n", what, result.error().message.c_str());
  std::exit(1);
}

enum class Sense { at_least, at_most };

/// Something measured by a program: a table on the screen, and a line of JSON each.
class Bench {
 public:
  Bench(Cuda device, std::FILE* json, double seconds)
      : device_(std::move(device)),
        stream_(or_give_up(device_.make_stream(), "a stream")),
        json_(json),
        deadline_(now() + seconds) {
    std::printf("| what | this run | against | ratio | aim | |\n| --- | --- | --- | --- | --- | --- |\n");
  }

  [[nodiscard]] Cuda& device() { return device_; }
  [[nodiscard]] Cuda::Stream& stream() { return stream_; }
  [[nodiscard]] bool failed() const { return failed_; }

  /// Whether there is time left for something of about so many seconds; tells what is left out otherwise.
  [[nodiscard]] bool time_for(const char* what, double seconds) {
    if (now() + seconds < deadline_) return true;
    std::printf("| %s | left out: the time is up | | | | |\n", what);
    std::fflush(stdout);
    if (json_ != nullptr)
      std::fprintf(json_, "{\"bench\": \"%s\", \"skipped\": \"the time is up\"}\n", escaped(what).c_str());
    return false;
  }

  /// The device's seconds of what `work` submits to the stream. What the host needs to submit it counts, too, unless
  /// the device is still busy with something before: see `seconds_on_a_busy_stream`.
  [[nodiscard]] double seconds_of(const std::function<void()>& work) {
    auto begin = or_give_up(device_.make_event(), "an event"), end = or_give_up(device_.make_event(), "an event");
    or_give_up(device_.record(begin, stream_), "recording");
    work();
    or_give_up(device_.record(end, stream_), "recording");
    or_give_up(device_.synchronize(stream_), "waiting");
    return or_give_up(device_.elapsed_seconds(begin, end), "the time between events");
  }
  /// The same of the second of two submissions, which the host makes ready while the device does the first.
  [[nodiscard]] double seconds_on_a_busy_stream(const std::function<void()>& work) {
    work();
    return seconds_of(work);
  }
  /// The medians of interleaved rounds, after one that does not count; each entry of `works` gives its seconds.
  [[nodiscard]] static std::vector<double> medians(int rounds, const std::vector<std::function<double()>>& works) {
    std::vector<std::vector<double>> seconds(works.size());
    for (int round = -1; round < rounds; ++round)
      for (std::size_t i = 0; i < works.size(); ++i) {
        const double taken = works[i]();
        if (round >= 0) seconds[i].push_back(taken);
      }
    std::vector<double> result;
    for (auto& own : seconds) {
      std::sort(own.begin(), own.end());
      result.push_back(own[own.size() / 2]);
    }
    return result;
  }

  /// A figure and its ratio to another of the same run.
  void report(const std::string& what, const std::string& figure, const std::string& against, double ratio, Sense sense,
              double aim) {
    const bool met = sense == Sense::at_least ? ratio >= aim : ratio <= aim;
    const char* const sign = sense == Sense::at_least ? "at least" : "at most";
    std::printf("| %s | %s | %s | %.3g | %s %.3g | %s |\n", what.c_str(), figure.c_str(), against.c_str(), ratio, sign,
                aim, met ? "met" : "missed");
    std::fflush(stdout);
    if (json_ != nullptr) {
      std::fprintf(json_,
                   "{\"bench\": \"%s\", \"figure\": \"%s\", \"against\": \"%s\", \"ratio\": %s, \"aim\": \"%s %.3g\", "
                   "\"met\": %s}\n",
                   escaped(what).c_str(), escaped(figure).c_str(), escaped(against).c_str(),
                   number_or_null(ratio).c_str(), sign, aim, met ? "true" : "false");
      std::fflush(json_);
    }
  }
  /// What must not be otherwise, such as a verdict: the program fails.
  void require(bool holds, const std::string& what) {
    if (holds) return;
    failed_ = true;
    std::printf("| %s | WRONG | | | | |\n", what.c_str());
    std::fflush(stdout);
    if (json_ != nullptr) std::fprintf(json_, "{\"bench\": \"%s\", \"wrong\": true}\n", escaped(what).c_str());
  }
  /// A kernel that passed, and the seconds of its reference and comparison.
  [[nodiscard]] double validation_seconds(const assay::Outcome& outcome, const std::string& what) {
    require(outcome.verdict == assay::Verdict::pass, what + ": " + outcome.reason);
    return outcome.measurement(assay::measurement::reference_seconds).value_or(0) +
           outcome.measurement(assay::measurement::comparison_seconds).value_or(0);
  }

 private:
  /// As JSON has it within quotes.
  [[nodiscard]] static std::string escaped(const std::string& text) {
    std::string result;
    for (const char letter : text) {
      if (letter == '"' || letter == '\\') result += '\\';
      result += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
    return result;
  }
  [[nodiscard]] static std::string number_or_null(double value) {
    if (!std::isfinite(value)) return "null";
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
  }
  [[nodiscard]] static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  Cuda device_;
  Cuda::Stream stream_;
  std::FILE* json_;
  double deadline_;
  bool failed_ = false;
};

[[nodiscard]] inline std::string in_milliseconds(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
  return text;
}
[[nodiscard]] inline std::string in_rate(double amount, double seconds, const char* unit) {
  char text[60];
  std::snprintf(text, sizeof text, "%.3g %s", amount / seconds, unit);
  return text;
}

/// A bench's main: program [--json FILE] [--seconds N]. Exit code: 0, 1 something is wrong, 2 wrong usage or no device.
/// Aims that are missed are told, no failure.
inline int run(int argc, char** argv, void (*measure)(Bench&)) {
  const char* path = nullptr;
  double seconds = 1e9;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc)
      path = argv[++i];
    else if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else
      return std::fprintf(stderr, "usage: %s [--json FILE] [--seconds N]\n", argv[0]), 2;
  }
  auto device = Cuda::open(0);
  if (!device) return std::fprintf(stderr, "%s: %s\n", argv[0], device.error().message.c_str()), 2;
  std::FILE* const json = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (path != nullptr && json == nullptr) return std::fprintf(stderr, "%s: cannot write %s\n", argv[0], path), 2;
  Bench bench(std::move(device).value(), json, seconds);
  measure(bench);
  if (json != nullptr) std::fclose(json);
  return bench.failed() ? 1 : 0;
}

}  // namespace gpu_bench
