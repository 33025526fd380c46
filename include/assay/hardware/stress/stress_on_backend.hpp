#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/hardware/detail/stress_format.hpp"
#include "assay/hardware/stress/stress.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

/// What a block of a device's stress tells.
struct StressBlockRecord {
  int multiprocessor = -1;           ///< where it ran
  int written = 0;                   ///< 1: it ran
  std::uint32_t wrong_elements = 0;  ///< of all its tiles
  std::uint32_t tile = 0;            ///< of the first wrong element
  std::uint32_t element = 0;         ///< of that tile: column · `StressBlock::side` + row
  std::uint64_t actual = 0;          ///< the bits of that element
};

/// A block that computes tiles of a product of small integers and holds every element against what it must be. All
/// pointers are of the device. A and B lie in panels of `side` rows, or columns, k by k; golden tiles column by column.
template <class T>
struct StressBlock {
  static constexpr int threads = 256;  ///< 16 × 16
  static constexpr int share = 4;      ///< rows and columns of a thread
  static constexpr int side = 16 * share;
  struct Shared {};  ///< nothing: panels are read through caches

  const T* a = nullptr;
  const T* b = nullptr;
  const T* golden = nullptr;
  StressBlockRecord* records = nullptr;  ///< one a block
  std::uint32_t row_tiles = 0, tiles = 0, depth = 0;
  std::uint32_t repeats = 1;        ///< tiles of a block
  std::uint32_t first_tile = 0;     ///< of block 0
  int damaged_multiprocessor = -2;  ///< one bit of a tile is flipped there, for tests of the check; −2: nowhere
  std::uint32_t damaged_tile = 0;   ///< which
  int damaged_bit = 0;              ///< of the tile's first element

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    typename Block::template PerThread<StressBlockRecord> found;
    const int place = block.multiprocessor();
    block.each([&](int thread) {
      StressBlockRecord own;
      for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
        const auto tile = static_cast<std::uint32_t>((block.index() + first_tile + repeat) % tiles);
        T sums[share * share] = {};
        multiply(tile, thread, sums);
        if (place == damaged_multiprocessor && tile == damaged_tile && thread == 0) flip(sums[0]);
        compare(tile, thread, sums, own);
      }
      found[thread] = own;
    });
    StressBlockRecord record = block.reduce(found, [](const StressBlockRecord& x, const StressBlockRecord& y) {
      StressBlockRecord joined = x.wrong_elements > 0 ? x : y;
      joined.wrong_elements = x.wrong_elements + y.wrong_elements;
      return joined;
    });
    record.multiprocessor = place;
    record.written = 1;
    block.each([&](int thread) {
      if (thread == 0) records[block.index()] = record;
    });
  }

 private:
  ASSAY_FUNCTION void multiply(std::uint32_t tile, int thread, T (&sums)[share * share]) const {
    const std::size_t panel = static_cast<std::size_t>(side) * depth;
    const T* rows = a + tile % row_tiles * panel + thread % 16 * share;
    const T* columns = b + tile / row_tiles * panel + thread / 16 * share;
    for (std::uint32_t k = 0; k < depth; ++k, rows += side, columns += side)
      for (int j = 0; j < share; ++j)
        for (int i = 0; i < share; ++i) sums[j * share + i] += rows[i] * columns[j];
  }
  ASSAY_FUNCTION void compare(std::uint32_t tile, int thread, const T (&sums)[share * share],
                              StressBlockRecord& own) const {
    for (int j = 0; j < share; ++j)
      for (int i = 0; i < share; ++i) {
        const int element = (thread / 16 * share + j) * side + thread % 16 * share + i;
        if (sums[j * share + i] == golden[static_cast<std::size_t>(tile) * side * side + element]) continue;
        if (own.wrong_elements++ > 0) continue;
        own.tile = tile;
        own.element = static_cast<std::uint32_t>(element);
        own.actual = bits(sums[j * share + i]);
      }
  }
  [[nodiscard]] ASSAY_FUNCTION static std::uint64_t bits(T value) {
    if constexpr (sizeof(T) == 8)
      return __builtin_bit_cast(std::uint64_t, value);
    else
      return __builtin_bit_cast(std::uint32_t, value);
  }
  ASSAY_FUNCTION void flip(T& value) const {
    if constexpr (sizeof(T) == 8)
      value = __builtin_bit_cast(T, bits(value) ^ std::uint64_t{1} << damaged_bit);
    else
      value = __builtin_bit_cast(T, static_cast<std::uint32_t>(bits(value)) ^ std::uint32_t{1} << damaged_bit);
  }
};

namespace detail {

/// The operands and golden tiles of a device's stress, on the host: 4 × 4 tiles.
template <class T>
struct DeviceStressProblem {
  static constexpr std::uint32_t row_tiles = 4, tiles = 16;
  static constexpr int side = StressBlock<T>::side;
  std::vector<T> a, b, golden;

  DeviceStressProblem(std::size_t depth, std::uint64_t seed)
      : a(row_tiles * side * depth), b(tiles / row_tiles * side * depth), golden(tiles * side * side) {
    constexpr std::int64_t largest = PlainProduct<T>::largest;
    RandomSequence random(seed);
    for (std::vector<T>* values : {&a, &b})
      for (T& value : *values)
        value = static_cast<T>(static_cast<std::int64_t>(random.below(2 * largest + 1)) - largest);
    for (std::uint32_t tile = 0; tile < tiles; ++tile)
      for (int column = 0; column < side; ++column)
        for (int row = 0; row < side; ++row) {
          const T* const rows = a.data() + tile % row_tiles * side * depth + row;
          const T* const columns = b.data() + tile / row_tiles * side * depth + column;
          std::int64_t sum = 0;
          for (std::size_t k = 0; k < depth; ++k)
            sum += static_cast<std::int64_t>(rows[k * side]) * static_cast<std::int64_t>(columns[k * side]);
          golden[(static_cast<std::size_t>(tile) * side + column) * side + row] = static_cast<T>(sum);
        }
  }
};

/// The multiprocessors of a device under stress, each as a worker.
template <class T>
class MultiprocessorTally {
 public:
  MultiprocessorTally(const DeviceStressProblem<T>& problem, const StressOptions& options)
      : problem_(problem), options_(options) {}

  /// Counts what the blocks of a launch told; how many were wrong.
  std::size_t count(const std::vector<StressBlockRecord>& records, std::uint32_t repeats, double seconds) {
    std::size_t wrong = 0;
    for (const StressBlockRecord& record : records) {
      if (record.written != 1) {
        ++lost_;
        continue;
      }
      StressWorker& worker = workers_[record.multiprocessor];
      worker.processor = record.multiprocessor;
      worker.products += 1;
      worker.tiles += repeats;
      if (record.wrong_elements == 0) continue;
      ++wrong;
      ++worker.wrong_tiles;
      note(record, seconds);
    }
    return wrong;
  }

  /// Counts a re-run: whether the multiprocessors of the last `fresh` defects err again.
  void count_again(const std::vector<StressBlockRecord>& records, std::size_t fresh) {
    for (std::size_t i = defects.size() - fresh; i < defects.size(); ++i) {
      ++defects[i].reruns;
      const auto again = [&](const StressBlockRecord& record) {
        return record.written == 1 && record.wrong_elements > 0 && record.multiprocessor == defects[i].processor;
      };
      if (std::any_of(records.begin(), records.end(), again)) ++defects[i].seen_again;
    }
  }

  [[nodiscard]] std::vector<StressWorker> workers(double busy, double operations_a_tile) const {
    std::vector<StressWorker> all;
    for (const auto& [number, worker] : workers_) {
      all.push_back(worker);
      all.back().busy_seconds = busy;
      all.back().operations = static_cast<double>(worker.tiles) * operations_a_tile;
    }
    return all;
  }
  [[nodiscard]] std::size_t lost() const { return lost_; }

  std::vector<StressDefect> defects;

 private:
  void note(const StressBlockRecord& record, double seconds) {
    if (defects.size() >= options_.most_defects) return;
    constexpr auto side = static_cast<std::uint32_t>(DeviceStressProblem<T>::side);
    StressDefect defect;
    defect.processor = record.multiprocessor;
    defect.tile = record.tile;
    defect.row = record.tile % problem_.row_tiles * side + record.element % side;
    defect.column = record.tile / problem_.row_tiles * side + record.element / side;
    defect.wrong_elements = record.wrong_elements;
    const T should = problem_.golden[static_cast<std::size_t>(record.tile) * side * side + record.element];
    T is;
    std::memcpy(&is, &record.actual, sizeof(T));
    std::uint64_t expected = 0;
    std::memcpy(&expected, &should, sizeof(T));
    defect.expected = static_cast<double>(should);
    defect.actual = static_cast<double>(is);
    defect.flipped = expected ^ record.actual;
    defect.seconds = seconds;
    defects.push_back(defect);
  }

  const DeviceStressProblem<T>& problem_;
  const StressOptions& options_;
  std::map<int, StressWorker> workers_;
  std::size_t lost_ = 0;
};

}  // namespace detail

/// Products of small integers on all multiprocessors of a device for a while, every element held against what it must
/// be, where it was computed; blocks tell where they ran, so that coverage is proved. T is double, float or
/// std::int32_t. Of the options `seconds`, `depth`, `peak`, `least_rate`, `reruns`, `most_defects`,
/// `seed`, `stop` and of a fault `processor` (the multiprocessor), `tile`, `bit`, `first_product` and `products` (of
/// launches, the re-runs among them) count. Workers of the result are multiprocessors. Judge it with `judge_stress`.
/// Errors: the backend's; `invalid`: a depth of 0 or above 1024, or a time that is no positive number; `unsupported`: a
/// backend that does not say how many multiprocessors it has, or whose blocks do not know where they run.
template <class T, BlockBackend B>
[[nodiscard]] Result<StressResult> stress_on_backend(B& backend, typename B::Stream& stream, const std::string& format,
                                                     const StressOptions& options) {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, std::int32_t>);
  if (options.depth == 0 || options.depth > 1024 || !(options.seconds > 0))
    return failure(ErrorKind::invalid, "a stress of a device takes a depth of 1 to 1024 and a time above 0 s; " +
                                           std::to_string(options.depth) + " and " + std::to_string(options.seconds) +
                                           " were given");
  std::size_t present = 0;
  if constexpr (requires { backend.multiprocessors(); }) present = static_cast<std::size_t>(backend.multiprocessors());
  if (present == 0)
    return failure(ErrorKind::unsupported, std::string(backend.name()) +
                                               " does not say how many multiprocessors it has; their coverage could "
                                               "not be proved");
  const detail::DeviceStressProblem<T> problem(options.depth, options.seed);
  const std::size_t blocks = present * 8;
  auto operands = backend.template allocate<T>(problem.a.size() + problem.b.size() + problem.golden.size());
  if (!operands) return operands.propagate();
  auto memory = backend.template allocate<StressBlockRecord>(blocks);
  if (!memory) return memory.propagate();
  auto before = backend.make_event(), after = backend.make_event();
  if (!before) return before.propagate();
  if (!after) return after.propagate();
  detail::WaitAtEnd submitted(backend, stream);
  StressBlock<T> work;
  T* next = operands.value().data();
  for (const auto& [values, place] :
       {std::pair{&problem.a, &work.a}, std::pair{&problem.b, &work.b}, std::pair{&problem.golden, &work.golden}}) {
    if (auto copied = backend.copy_to_device(stream, next, values->data(), values->size()); !copied)
      return copied.propagate();
    *place = next;
    next += values->size();
  }
  work.records = memory.value().data();
  work.row_tiles = problem.row_tiles;
  work.tiles = problem.tiles;
  work.depth = static_cast<std::uint32_t>(options.depth);

  std::vector<StressBlockRecord> records(blocks);
  std::uint64_t launches = 0;
  double busy = 0;
  const auto launch = [&]() -> Result<double> {
    const auto& fault = options.fault;
    work.damaged_multiprocessor = -2;
    if (fault && launches >= fault->first_product && launches < fault->first_product + fault->products) {
      work.damaged_multiprocessor = fault->processor;
      work.damaged_tile = static_cast<std::uint32_t>(fault->tile);
      work.damaged_bit = fault->bit;
    }
    work.first_tile = static_cast<std::uint32_t>(launches++ % problem.tiles);
    std::fill(records.begin(), records.end(), StressBlockRecord{});
    if (auto done = backend.copy_to_device(stream, work.records, records.data(), blocks); !done)
      return done.propagate();
    if (auto done = backend.record(before.value(), stream); !done) return done.propagate();
    if (auto done = backend.parallel_blocks(stream, blocks, work); !done) return done.propagate();
    if (auto done = backend.record(after.value(), stream); !done) return done.propagate();
    if (auto done = backend.synchronize(stream); !done) return done.propagate();
    if (auto done = backend.copy_to_host(stream, records.data(), work.records, blocks); !done) return done.propagate();
    if (auto done = backend.synchronize(stream); !done) return done.propagate();
    return backend.elapsed_seconds(before.value(), after.value());
  };

  StressResult result;
  result.backend = backend.name();
  result.format = format;
  result.depth = options.depth;
  result.tile_rows = result.tile_columns = StressBlock<T>::side;
  result.rows = result.columns = problem.row_tiles * StressBlock<T>::side;
  detail::MultiprocessorTally<T> tally(problem, options);
  const double operations_a_tile = 2.0 * StressBlock<T>::side * StressBlock<T>::side * static_cast<double>(work.depth);
  result.rate = {"rate of the device", "time, s", std::is_integral_v<T> ? "Gop/s" : "GFLOP/s", {}};
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  while (launches == 0 || (elapsed() < options.seconds && !(options.stop && options.stop()))) {
    const std::size_t told = tally.defects.size();
    const auto took = launch();
    if (!took) return took.propagate();
    busy += took.value();
    if (took.value() > 0)
      result.rate.points.emplace_back(
          busy, operations_a_tile * static_cast<double>(blocks) * work.repeats / took.value() / 1e9);
    const bool wrong = tally.count(records, work.repeats, busy) > 0;
    for (unsigned i = 0; wrong && i < options.reruns; ++i) {
      if (const auto again = launch(); !again) return again.propagate();
      tally.count_again(records, tally.defects.size() - told);
    }
    // a fiftieth of a second a launch: long enough that the rest costs little, short enough to be stopped
    if (took.value() < 0.02 && work.repeats < (1u << 20)) work.repeats *= 2;
  }
  result.seconds = elapsed();
  result.workers = tally.workers(busy, operations_a_tile);
  result.defects = std::move(tally.defects);
  if (result.workers.size() == 1 && result.workers.front().processor == -1)
    return failure(ErrorKind::unsupported,
                   "blocks of " + std::string(backend.name()) + " do not know on which multiprocessor they run");
  if (tally.lost() > 0)
    result.missing.push_back(std::to_string(tally.lost()) + " blocks of " + std::to_string(launches) +
                             " launches never ran");
  if (result.workers.size() < present)
    result.missing.push_back("of " + std::to_string(present) + " multiprocessors " +
                             std::to_string(result.workers.size()) + " were seen");
  return result;
}

}  // namespace assay::inline v0
