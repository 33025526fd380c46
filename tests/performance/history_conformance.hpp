#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/performance/history_store.hpp"
#include "assay/statistics/random_sequence.hpp"

/// What every store of histories must do, as functions that return what it did wrong, one message each; for the stores
/// here and for yours. `make` gives a new handle on the same place; the place is empty when a function begins.
namespace assay::testing {

using Violations = std::vector<std::string>;

inline HistoryRun run_of(const std::string& version, std::vector<HistoryPoint> points) {
  HistoryRun run;
  run.origin.time = UtcTime(std::chrono::milliseconds(1'700'000'000'000));
  run.origin.labels = {{"version", version}};
  run.points = std::move(points);
  return run;
}

inline HistoryPoint point_of(const std::string& name, std::vector<double> samples) {
  return {name, {}, {"seconds", "s", Direction::lower_is_better, std::move(samples), ""}};
}

/// All that a run can hold, and characters that stores like to trip over.
inline HistoryRun rich_history_run() {
  HistoryRun run;
  run.origin.time = UtcTime(std::chrono::milliseconds(1'735'786'985'678));
  run.origin.labels = {{"version", "550.54.14-rc1"},
                       {"commit", "a=b,c{d}%41"},
                       {"", "no key"},
                       {"empty", ""},
                       {"tab\tand\nline", "\x01\"\\'; DROP TABLE run; --"}};
  run.origin.environment = {{"processor", "Größe µ 水 🜚"}, {"library OpenBLAS", "0.3.21"}};
  run.origin.clocks = {{"governor", "performance"}, {"nul", std::string("a\0b", 3)}};
  const double smallest = std::numeric_limits<double>::denorm_min();
  run.points = {
      {"gemm/onednn",
       {{"m", "1024"}, {"dtype", "bf16"}},
       {"seconds",
        "s",
        Direction::lower_is_better,
        {0.1, 0.30000000000000004, smallest, -0.0, 1e150, -1e-300, 3},
        "never got steady"}},
      {"gemm/onednn", {{"m", "1024"}, {"dtype", "bf16"}}, {"flops", "1/s", Direction::higher_is_better, {1e12}, ""}},
      {"gemm/onednn", {{"m", "10"}, {"dtype", "bf16"}}, {"seconds", "s", Direction::lower_is_better, {1}, ""}},
      {"test_sum[10]{a=b}", {{"k=v", "1,2"}}, {"per/cent", "%", Direction::higher_is_better, {100}, ""}}};
  return run;
}

/// Whether `history` holds of run `index` what `run` says, to the bit; what differs, otherwise.
inline Violations differences(const History& history, std::size_t index, const HistoryRun& run) {
  if (index >= history.runs.size()) return {"run " + std::to_string(index) + " is not there"};
  Violations found;
  if (!(history.runs[index] == run.origin))
    found.push_back("run " + std::to_string(index) + " has another time, label, environment or clock");
  std::size_t points = 0;
  for (const HistorySeries& series : history.series)
    for (const SeriesPoint& point : series.points) points += point.run == index ? 1 : 0;
  if (points != run.points.size())
    found.push_back("run " + std::to_string(index) + " has " + std::to_string(points) + " points, not " +
                    std::to_string(run.points.size()));
  for (const HistoryPoint& wanted : run.points) {
    const std::string key = series_key(wanted.name, wanted.configuration, wanted.metric.name);
    const HistorySeries* series = history.find(key);
    if (series == nullptr || series->name != wanted.name || series->configuration != wanted.configuration ||
        series->metric != wanted.metric.name || series->key != key) {
      found.push_back("the series " + key + " is not there as it was written");
      continue;
    }
    bool same = false;
    for (const SeriesPoint& point : series->points) {
      if (point.run != index || point.samples.size() != wanted.metric.samples.size() ||
          point.note != wanted.metric.note)
        continue;
      same = true;
      for (std::size_t i = 0; i < point.samples.size(); ++i)
        same = same &&
               std::bit_cast<std::uint64_t>(point.samples[i]) == std::bit_cast<std::uint64_t>(wanted.metric.samples[i]);
    }
    if (!same || series->unit != wanted.metric.unit || series->direction != wanted.metric.direction)
      found.push_back("a point of " + key + " has other samples, unit, direction or note");
  }
  return found;
}

inline void append_all(Violations& found, const Violations& more) {
  found.insert(found.end(), more.begin(), more.end());
}

template <class Make>
Violations keeps_what_it_was_given(const Make& make) {
  Violations found;
  if (const auto nothing = make().load(); !nothing || !nothing.value().runs.empty())
    return {"a store that was never written is not empty"};
  const HistoryRun rich = rich_history_run(), plain = run_of("2", {point_of("gemm/onednn", {1, 2, 3})});
  auto writer = make();
  for (const HistoryRun& run : {rich, plain})
    if (const auto written = writer.append(run); !written) return {"append failed: " + written.error().message};
  const auto before = make().load();
  if (!before) return {"load failed: " + before.error().message};
  if (before.value().runs.size() != 2)
    found.push_back(std::to_string(before.value().runs.size()) + " runs came back of two that differ");
  for (const std::string& warning : before.value().warnings)
    found.push_back("two runs that differ make it warn: " + warning);
  if (const auto written = writer.append(rich); !written) return {"append failed: " + written.error().message};
  auto reader = make();
  const auto history = reader.load();
  if (!history) return {"load failed: " + history.error().message};
  if (history.value().runs.size() != 2)
    found.push_back(std::to_string(history.value().runs.size()) + " runs came back, not 2: one was appended twice");
  append_all(found, differences(history.value(), 0, rich));
  append_all(found, differences(history.value(), 1, plain));
  if (history.value().warnings.size() != 1) found.push_back("what was appended twice is not told");
  return found;
}

template <class Make>
Violations refuses_what_it_cannot_keep(const Make& make) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  HistoryRun label = run_of("1", {point_of("a", {1})});
  label.origin.labels["commit"] = "\xff";
  const std::vector<std::pair<std::string, HistoryRun>> wrong{
      {"a run without points", run_of("1", {})},
      {"a metric without samples", run_of("1", {point_of("a", {})})},
      {"NaN", run_of("1", {point_of("a", {1}), point_of("b", {1, nan})})},
      {"an infinity", run_of("1", {point_of("a", {-infinity})})},
      {"a benchmark without a name", run_of("1", {point_of("", {1})})},
      {"a metric without a name", run_of("1", {{"a", {}, {"", "s", Direction::lower_is_better, {1}, ""}}})},
      {"a metric twice", run_of("1", {point_of("a", {1}), point_of("a", {2})})},
      {"a name that is not UTF-8", run_of("1", {point_of("\xc3(", {1})})},
      {"a label that is not UTF-8", label}};
  Violations found;
  auto store = make();
  if (const auto written = store.append(run_of("0", {point_of("a", {1})})); !written)
    return {"append failed: " + written.error().message};
  for (const auto& [what, run] : wrong) {
    const auto written = store.append(run);
    if (written)
      found.push_back(what + " was accepted");
    else if (written.error().kind != ErrorKind::invalid || written.error().message.empty())
      found.push_back(what + " was refused with the wrong kind of error");
  }
  const auto history = make().load();
  if (!history || history.value().runs.size() != 1) found.push_back("refused runs left something behind");
  return found;
}

/// Runs `work(i)` in `count` processes and returns how many ended with success.
inline int in_processes(int count, const std::function<bool(int)>& work) {
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work(i) ? 0 : 1);
    children.push_back(child);
  }
  int succeeded = 0;
  for (const pid_t child : children) {
    int status = 0;
    if (::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) ++succeeded;
  }
  return succeeded;
}

/// Runs of several processes at once come back whole, each process's own in its order.
template <class Make>
Violations takes_many_writers(const Make& make, int processes = 8, int runs_each = 20) {
  const auto run_from = [](int process, int index) {
    std::vector<HistoryPoint> points;
    for (int i = 0; i < 40; ++i)
      points.push_back(point_of("series " + std::to_string(i), {double(process), double(index), double(i)}));
    return run_of(std::to_string(process) + "." + std::to_string(index), std::move(points));
  };
  const int succeeded = in_processes(processes, [&](int process) {
    for (int index = 0; index < runs_each; ++index) {
      auto store = make();
      if (!store.append(run_from(process, index))) return false;
    }
    return true;
  });
  if (succeeded != processes)
    return {std::to_string(processes - succeeded) + " of " + std::to_string(processes) + " writers failed"};
  const auto history = make().load();
  if (!history) return {"load failed: " + history.error().message};
  Violations found;
  if (history.value().runs.size() != static_cast<std::size_t>(processes * runs_each))
    found.push_back("runs were lost or doubled: " + std::to_string(history.value().runs.size()));
  std::vector<int> next(static_cast<std::size_t>(processes), 0);
  for (std::size_t i = 0; i < history.value().runs.size() && found.size() < 10; ++i) {
    const std::string version = history.value().runs[i].label("version");
    const auto process = static_cast<std::size_t>(std::stoi(version));
    const int index = next.at(process)++;
    append_all(found, differences(history.value(), i, run_from(static_cast<int>(process), index)));
  }
  return found;
}

/// A writer killed at a random moment, `kills` times over: what it had been told to be kept is there, and nothing that
/// is not whole.
template <class Make>
Violations survives_kills(const Make& make, int kills, std::uint64_t seed = 1) {
  const auto run_from = [](int writer, int index) {
    std::vector<HistoryPoint> points;
    for (int i = 0; i < 30; ++i)
      points.push_back(point_of("series " + std::to_string(i), {double(writer), double(index)}));
    return run_of(std::to_string(writer) + "." + std::to_string(index), std::move(points));
  };
  Violations found;
  detail::RandomSequence random(seed);
  std::size_t already = 0, acknowledged_in_all = 0;
  for (int writer = 0; writer < kills && found.empty(); ++writer) {
    int ends[2];
    if (::pipe(ends) != 0) return {"no pipe"};
    const pid_t child = ::fork();
    if (child == 0) {
      auto store = make();
      for (int index = 0;; ++index)
        if (!store.append(run_from(writer, index)) || ::write(ends[1], "+", 1) != 1) ::_exit(1);
    }
    ::close(ends[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(15000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    std::size_t acknowledged = 0;
    for (char byte = 0; ::read(ends[0], &byte, 1) == 1;) ++acknowledged;
    ::close(ends[0]);
    if (!WIFSIGNALED(status)) found.push_back("writer " + std::to_string(writer) + " failed instead of being killed");
    acknowledged_in_all += acknowledged;
    const bool look = writer % 10 == 9 || writer + 1 == kills || kills <= 20;
    if (!look) {
      already += acknowledged;
      continue;
    }
    const auto history = make().load();
    if (!history) return {"load failed after kill " + std::to_string(writer + 1) + ": " + history.error().message};
    if (history.value().runs.size() < already + acknowledged)
      found.push_back("after kill " + std::to_string(writer + 1) + " acknowledged runs are gone: " +
                      std::to_string(history.value().runs.size()) + " of " + std::to_string(already + acknowledged));
    for (std::size_t i = already; i < history.value().runs.size() && found.empty(); ++i) {
      const std::string version = history.value().runs[i].label("version");
      const int of = std::stoi(version), index = std::stoi(version.substr(version.find('.') + 1));
      append_all(found, differences(history.value(), i, run_from(of, index)));
    }
    already = history.value().runs.size();
  }
  if (kills >= 10 && acknowledged_in_all == 0) found.push_back("no writer ever got to write: the test showed nothing");
  return found;
}

}  // namespace assay::testing
