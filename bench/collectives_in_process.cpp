// All-reduce between hundreds of ranks in one process, with every algorithm, and the speed at which elements are
// reduced.
//
//   bench_collectives_in_process [--ranks N] [--bytes N] [--repeat R] [--elements N] [--threads N]
//
// Prints Markdown. Of the all-reduces: wall seconds of one of float32 over all ranks, from start to end of their
// threads, each rank's whole result compared with what it must be; the first run of each and the median of all. Of the
// reductions: into += with, which reads two arrays and writes one, beside a parallel memcpy that moves as many bytes in
// all; medians of interleaved runs; 1 is the speed of the copy. Exit code: 2 for wrong arguments, 1 for wrong results.

#include <charconv>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "assay/collectives/in_process/reduce_elements.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

struct Options {
  std::size_t ranks = 512;
  std::size_t bytes = 1000000;
  std::size_t repeat = 3;
  std::size_t elements = std::size_t{32} << 20;
  std::size_t threads = 2;
};

/// One all-reduce between all ranks; whether every rank received the sum.
bool all_reduce(const Options& options, CollectiveAlgorithm algorithm) {
  InProcessOptions how;
  how.algorithm = algorithm;
  std::mutex mutex;
  std::string wrong;
  run_ranks(InProcessWorld(static_cast<int>(options.ranks), how), [&](InProcessCollective& collective) {
    const std::size_t count = options.bytes / sizeof(float);
    std::vector<float> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<float>(collective.rank() + static_cast<int>(i % 7));
    CollectiveCall call;
    call.count = static_cast<Index>(count);
    call.send = call.receive = data.data();
    const auto done = collective.run(call, deadline_after(std::chrono::minutes(5)));
    const int ranks = collective.size();
    bool right = done.has_value();
    for (std::size_t i = 0; i < count; ++i)
      right = right && data[i] == static_cast<float>(ranks * (ranks - 1) / 2 + ranks * static_cast<int>(i % 7));
    const std::lock_guard lock(mutex);
    if (!right)
      wrong = "rank " + std::to_string(collective.rank()) + ": " + (done ? "wrong sums" : done.error().message);
  });
  if (!wrong.empty()) std::cerr << name_of(algorithm) << ": " << wrong << '\n';
  return wrong.empty();
}

template <class Part>
void in_parallel(std::size_t threads, const Part& part) {
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back([&, i] { part(i); });
  part(std::size_t{0});
  for (std::thread& other : others) other.join();
}

void reduction(const Options& options, ElementType type, ReductionOperator how, std::vector<std::byte>& into,
               const std::vector<std::byte>& with) {
  const std::size_t bytes = options.elements * sizeof(float) / options.threads / 64 * 64;  // of each thread
  std::vector<double> copies, reductions, ratios;
  for (std::size_t round = 0; round <= 2 * options.repeat; ++round) {
    const double copy = seconds_of([&] {
      in_parallel(options.threads, [&](std::size_t part) {
        std::memcpy(into.data() + part * bytes, with.data() + part * bytes,
                    bytes);  // half as much again, to move three times `bytes`
        std::memcpy(into.data() + part * bytes, with.data() + part * bytes, bytes / 2);
      });
    });
    const double reduce = seconds_of([&] {
      in_parallel(options.threads, [&](std::size_t part) {
        reduce_elements(type, how, into.data() + part * bytes, with.data() + part * bytes,
                        static_cast<Index>(bytes / bytes_of(type)));
      });
    });
    if (round == 0) continue;
    copies.push_back(copy);
    reductions.push_back(reduce);
    ratios.push_back(copy / reduce);
  }
  std::printf("| %s | %s | %.1f | %.1f | %.2f | %.1f |\n", std::string(name_of(type)).c_str(),
              std::string(name_of(how)).c_str(), median(copies) * 1e3, median(reductions) * 1e3, median(ratios),
              3 * static_cast<double>(bytes * options.threads) / median(reductions) * 1e-9);
  std::fflush(stdout);
}

}  // namespace

int main(int argument_count, char** arguments) {
  Options options;
  for (int i = 1; i < argument_count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = i + 1 < argument_count ? arguments[i + 1] : "";
    std::size_t number = 0;
    const bool is_number =
        std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() && number > 0;
    const std::pair<std::string_view, std::size_t*> known[] = {{"--ranks", &options.ranks},
                                                               {"--bytes", &options.bytes},
                                                               {"--repeat", &options.repeat},
                                                               {"--elements", &options.elements},
                                                               {"--threads", &options.threads}};
    std::size_t* target = nullptr;
    for (const auto& [known_name, known_target] : known)
      if (name == known_name) target = known_target;
    if (target == nullptr || !is_number) {
      std::cerr
          << "bench_collectives_in_process: '" << name
          << "' is no option with a value of 1 or more; there are --ranks, --bytes, --repeat, --elements, --threads\n";
      return 2;
    }
    *target = number;
  }

  std::printf("All-reduce of %zu bytes by each of %zu ranks\n\n| algorithm | first s | median s |\n|---|---|---|\n",
              options.bytes, options.ranks);
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms) {
    std::vector<double> times;
    bool right = true;
    for (std::size_t run = 0; run < options.repeat; ++run)
      times.push_back(seconds_of([&] { right = right && all_reduce(options, algorithm); }));
    if (!right) return 1;
    std::printf("| %s | %.2f | %.2f |\n", std::string(name_of(algorithm)).c_str(), times.front(), median(times));
    std::fflush(stdout);
  }

  std::printf(
      "\nReductions of %zu MB, %zu threads\n\n| type | reduction | copy ms | reduce ms | copy / reduce | GB/s "
      "|\n|---|---|---|---|---|---|\n",
      options.elements * sizeof(float) >> 20, options.threads);
  std::vector<std::byte> into(options.elements * sizeof(float), std::byte{1}), with(into.size(), std::byte{2});
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::bfloat16,
                                 ElementType::float16, ElementType::float8_e4m3fn, ElementType::float8_e5m2,
                                 ElementType::int8, ElementType::int32, ElementType::uint64})
    for (const ReductionOperator how : {ReductionOperator::sum, ReductionOperator::maximum})
      reduction(options, type, how, into, with);
  return 0;
}
