// The speed at which data of collectives are made and checked, over the memory's.
//
//   bench_collectives_verification [--mebibytes N] [--ranks N] [--repetitions N]
//
// Prints Markdown: medians of interleaved runs, one thread a rank, each on a buffer of its own; bytes of the buffers a
// second. Memory's speed is that of memset for making data, and of reading and folding the buffer for checking it, by
// the same threads in the same run. Exit code: 2 for wrong arguments, 1 for data that is found wrong.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "assay/collectives/verification/collective_data.hpp"
#include "read_pass.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

struct Options {
  std::size_t mebibytes = 128;
  int ranks = 2;
  unsigned repetitions = 9;
};

double seconds_on_every_rank(int ranks, const std::function<void(std::size_t)>& work) {
  return seconds_of([&] {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(work, static_cast<std::size_t>(rank));
    for (std::thread& thread : threads) thread.join();
  });
}

bool measure(const Options& options, CollectiveOperation operation, ElementType type, CollectiveDataKind kind) {
  CollectiveProblem problem;
  problem.operation = operation;
  problem.type = type;
  problem.data = kind;
  const std::size_t bytes = options.mebibytes << 20;
  problem.count = static_cast<Index>(bytes / bytes_of(type));
  std::vector<std::unique_ptr<CollectiveData>> data;
  std::vector<std::vector<char>> buffers;
  for (int rank = 0; rank < options.ranks; ++rank) {
    data.push_back(std::make_unique<CollectiveData>(problem, 0, 1));  // of one rank what is sent is what is expected
    buffers.emplace_back(bytes);
  }
  std::vector<double> filling, making, reading, checking;
  std::vector<std::uint64_t> folded(buffers.size());
  std::vector<Index> wrong(buffers.size());
  for (unsigned i = 0; i <= options.repetitions; ++i) {
    const auto on_every_rank = [&](const std::function<void(std::size_t)>& work) {
      return seconds_on_every_rank(options.ranks, work);
    };
    const double times[] = {
        on_every_rank([&](std::size_t rank) { std::memset(buffers[rank].data(), static_cast<int>(i), bytes); }),
        on_every_rank([&](std::size_t rank) { data[rank]->write(buffers[rank].data(), i, 0, 0, problem.count); }),
        on_every_rank([&](std::size_t rank) {
          const unsigned char* start = reinterpret_cast<const unsigned char*>(buffers[rank].data());
          assay::detail::run_variant<ReadAll>(assay::instruction_set(), start, bytes, folded[rank]);
        }),
        on_every_rank([&](std::size_t rank) {
          std::vector<ElementRun> runs;
          wrong[rank] += data[rank]->compare(buffers[rank].data(), i, reduces(operation) ? assay::detail::of_all : 0, 0,
                                             problem.count, 0, runs);
        })};
    if (i == 0) continue;
    filling.push_back(times[0]);
    making.push_back(times[1]);
    reading.push_back(times[2]);
    checking.push_back(times[3]);
  }
  const double gigabytes = static_cast<double>(bytes) * options.ranks * 1e-9;
  std::printf("| %s | %s | %s | %.1f | %.1f | %.2f | %.1f | %.1f | %.2f |\n", std::string(name_of(operation)).c_str(),
              std::string(name_of(type)).c_str(), reduces(operation) ? std::string(name_of(kind)).c_str() : "tags",
              gigabytes / median(filling), gigabytes / median(making), median(filling) / median(making),
              gigabytes / median(reading), gigabytes / median(checking), median(reading) / median(checking));
  std::fflush(stdout);
  const Index all = *std::max_element(wrong.begin(), wrong.end());
  if (all > 0) std::fprintf(stderr, "right data were found wrong in %lld elements\n", static_cast<long long>(all));
  return all == 0;
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = arguments[i], text = i + 1 < count ? arguments[i + 1] : "";
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool known = name == "--mebibytes" || name == "--ranks" || name == "--repetitions";
    if (!known || error != std::errc() || end != text.data() + text.size() || value == 0 || value > 65536) {
      std::fprintf(
          stderr,
          "usage: bench_collectives_verification [--mebibytes N] [--ranks N] [--repetitions N], numbers from 1\n");
      return 2;
    }
    if (name == "--mebibytes") options.mebibytes = value;
    if (name == "--ranks") options.ranks = static_cast<int>(value);
    if (name == "--repetitions") options.repetitions = static_cast<unsigned>(value);
  }
  std::printf("%d ranks, a thread and %zu MiB each, medians of %u runs; GB/s\n\n", options.ranks, options.mebibytes,
              options.repetitions);
  std::printf(
      "| operation | type | data | memset | making | making/memset | reading | checking | checking/reading |\n| --- | "
      "--- | --- | --- | "
      "--- | --- | --- | --- | --- |\n");
  using enum CollectiveDataKind;
  bool right = true;
  for (const ElementType type : {ElementType::float32, ElementType::bfloat16, ElementType::int32,
                                 ElementType::float8_e4m3fn, ElementType::float64}) {
    right = measure(options, CollectiveOperation::all_reduce, type, decode) && right;
    right = measure(options, CollectiveOperation::all_reduce, type, is_integer(type) ? exact : random) && right;
  }
  right = measure(options, CollectiveOperation::broadcast, ElementType::float32, decode) && right;
  return right ? 0 : 1;
}
