// The speed of `compare`, beside a bare parallel read of the same bytes.
//
//   bench_compare [--elements N] [--columns N] [--threads N] [--repetitions N] [--row TEXT] [--placement host|heap]
//   [--save FOLDER]
//
// Prints Markdown: medians of interleaved runs, their ratio to the read, and the memory that a comparison takes.
// `--row` takes those rows only whose pair and data, "bf16 / bf16, ulps, clean", contain it. `--placement`: arrays lie
// as blocks of `Host` do, or where malloc puts them. `--save` writes the f32 and bf16 pairs as raw files, for
// bench/compare_peers.py. Exit code: 2 for wrong arguments, 1 for errors.

#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/expected_arrays.hpp"
#include "assay/compare/expected_values.hpp"
#include "assay/tolerance/chosen.hpp"
#include "read_pass.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

/// Memory with a count of what is in use.
struct CountingResource {
  AlignedResource memory;
  std::atomic<std::size_t>* used = nullptr;
  std::atomic<std::size_t>* most = nullptr;

  void* allocate(std::size_t bytes, std::size_t alignment) {
    void* const pointer = memory.allocate(bytes, alignment);
    if (pointer != nullptr) {
      const std::size_t now = *used += bytes;
      if (now > *most) *most = now;
    }
    return pointer;
  }
  void deallocate(void* pointer, std::size_t bytes, std::size_t alignment) {
    memory.deallocate(pointer, bytes, alignment);
    *used -= bytes;
  }
};

/// Memory of arrays: as `Host` places its blocks, or where the heap puts them.
template <class T>
struct PlacedAllocator {
  using value_type = T;
  bool on_heap = false;

  explicit PlacedAllocator(bool heap) : on_heap(heap) {}
  template <class U>
  explicit PlacedAllocator(const PlacedAllocator<U>& other) : on_heap(other.on_heap) {}
  T* allocate(std::size_t count) {
    void* const pointer = on_heap ? std::malloc(count * sizeof(T)) : AlignedResource().allocate(count * sizeof(T), 64);
    return pointer != nullptr ? static_cast<T*>(pointer) : throw std::bad_alloc();
  }
  void deallocate(T* pointer, std::size_t count) {
    on_heap ? std::free(pointer) : AlignedResource().deallocate(pointer, count * sizeof(T), 64);
  }
  friend bool operator==(const PlacedAllocator&, const PlacedAllocator&) = default;
};
template <class T>
using Elements = std::vector<T, PlacedAllocator<T>>;

using CountingHost = BasicHost<CountingResource>;

struct Options {
  Index elements = Index{64} << 20;
  Index columns = 8192;
  unsigned threads = 2;
  unsigned repetitions = 7;
  bool on_heap = false;
  std::string row, save;
};

/// A uniform real in [−1, 1) for each counter.
double uniform(std::uint64_t counter, std::uint64_t lane) {
  std::uint64_t bits = (counter * 4 + lane) * 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return static_cast<double>(static_cast<std::int64_t>(bits ^ (bits >> 31))) * 0x1p-63;
}

enum class Kind { clean, nan, infinities, ascending, ties, violations };
constexpr struct {
  Kind kind;
  const char* name;
} kinds[] = {{Kind::clean, "clean"},
             {Kind::nan, "10 % NaN on both sides"},
             {Kind::infinities, "half −inf, equal"},
             {Kind::ascending, "ascending errors"},
             {Kind::ties, "quantized ties"},
             {Kind::violations, "all elements wrong"}};

/// An element of a reference, and what came out.
struct Pair {
  double expected, actual;
};

/// `step`: the relative spacing of the output's numbers.
Pair pair_of(Kind kind, std::uint64_t i, std::uint64_t elements, double step) {
  const double r = 4 * uniform(i, 0) + (uniform(i, 0) < 0 ? -0.25 : 0.25), noise = uniform(i, 1);
  switch (kind) {
    case Kind::clean: break;
    case Kind::nan:
      if (uniform(i, 2) < -0.8) return {std::nan(""), std::nan("")};
      break;
    case Kind::infinities:
      if (uniform(i, 2) < 0)
        return {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
      break;
    case Kind::ascending: return {r, r * (1 + 8 * step * static_cast<double>(i) / static_cast<double>(elements))};
    case Kind::ties: {
      const double quantized = std::floor(r * 4) / 4 + 0.125;
      return {quantized, quantized * (1 + (noise > 0.5 ? step : 0))};
    }
    case Kind::violations: return {r, -r * (1 + noise)};
  }
  return {r, r * (1 + step * noise)};
}

struct Measured {
  std::string pair, data;
  double read_seconds, compare_seconds, bytes_per_second, slow_ratio;
  std::uint64_t violations;
  std::size_t memory;
};

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options), host_(options.threads, CountingResource{{}, &used_, &most_}) {}

  template <class Expected, class T, class Model>
  bool measure(const std::string& pair, const char* data, const Elements<T>& actual, const Expected& expected,
               const Model& tolerance, std::vector<Array> arrays) {
    arrays.push_back({actual.data(), actual.size() * sizeof(T)});
    const auto view =
        contiguous_view<const T, 2>(actual.data(), {options_.elements / options_.columns, options_.columns});
    std::vector<double> reads, compares, ratios;
    std::uint64_t violations = 0;
    most_ = 0;
    CountingHost::Stream stream;
    for (unsigned repetition = 0; repetition < options_.repetitions + 1; ++repetition) {
      auto start = std::chrono::steady_clock::now();
      sink_ ^= read_pass(host_.thread_pool(), arrays);
      const double read_seconds = seconds_since(start);
      start = std::chrono::steady_clock::now();
      const auto found = compare(host_, stream, view, expected, tolerance);
      const double compare_seconds = seconds_since(start);
      if (!found) {
        std::cerr << found.error().message << '\n';
        return false;
      }
      violations = found.value().violations;
      if (repetition == 0) continue;
      reads.push_back(read_seconds);
      compares.push_back(compare_seconds);
      ratios.push_back(compare_seconds / read_seconds);
    }
    double bytes = 0;
    for (const Array& array : arrays) bytes += static_cast<double>(array.bytes);
    std::printf("| %s | %s | %.1f | %.1f | %.2f | %.1f | %llu | %.0f |\n", pair.c_str(), data, median(reads) * 1e3,
                median(compares) * 1e3, median(ratios), bytes / median(compares) * 1e-9,
                static_cast<unsigned long long>(violations), static_cast<double>(most_.load()) / 1024);
    std::fflush(stdout);
    return true;
  }

  template <class T>
  bool stored(const char* name, const ChosenTolerance& tolerance) {
    const std::size_t elements = static_cast<std::size_t>(options_.elements);
    Elements<T> actual(elements, placed<T>()), expected(elements, placed<T>());
    for (const auto& [kind, kind_name] : kinds) {
      if (!wanted(name, tolerance, kind_name)) continue;
      host_.thread_pool().for_each_index(elements / 4096, [&, kind = kind](std::size_t block) {
        for (std::size_t i = block * 4096; i < (block + 1) * 4096; ++i) {
          const Pair pair = pair_of(kind, i, elements, 2 * unit_roundoff<T>());
          actual[i] = encode<T>(pair.actual);
          expected[i] = encode<T>(pair.expected);
        }
      });
      if (!options_.save.empty() && kind == Kind::clean) {
        save(actual, std::string(FormatTraits<T>::name()) + "_actual.raw");
        save(expected, std::string(FormatTraits<T>::name()) + "_expected.raw");
      }
      if (!measure(std::string(name) + ", " + text_of(tolerance), kind_name, actual,
                   ExpectedValues<T>{expected.data(), options_.columns}, tolerance,
                   {{expected.data(), elements * sizeof(T)}}))
        return false;
    }
    return true;
  }

  template <class T>
  bool derived(const char* name) {
    const std::size_t elements = static_cast<std::size_t>(options_.elements);
    Elements<T> actual(elements, placed<T>());
    Elements<double> value(elements, placed<double>()), error(elements, placed<double>());
    for (const auto& [kind, kind_name] : kinds) {
      if (!wanted(name, ChosenTolerance{}, kind_name)) continue;
      host_.thread_pool().for_each_index(elements / 4096, [&, kind = kind](std::size_t block) {
        for (std::size_t i = block * 4096; i < (block + 1) * 4096; ++i) {
          const double bound = kind == Kind::ties ? unit_roundoff<T>() * 4 : 0x1p-14;
          const Pair pair = pair_of(kind, i, elements, kind == Kind::ties ? 2 * unit_roundoff<T>() : 0x1p-16);
          actual[i] = encode<T>(pair.actual);
          value[i] = pair.expected;
          error[i] = bound * (std::fabs(uniform(i, 3)) + 1);
        }
      });
      if (!measure(std::string(name) + ", derived", kind_name, actual,
                   ExpectedArrays{value.data(), error.data(), options_.columns}, ChosenTolerance{},
                   {{value.data(), elements * sizeof(double)}, {error.data(), elements * sizeof(double)}}))
        return false;
    }
    return true;
  }

  [[nodiscard]] std::uint64_t sink() const { return sink_; }

 private:
  template <class T>
  [[nodiscard]] PlacedAllocator<T> placed() const {
    return PlacedAllocator<T>(options_.on_heap);
  }
  [[nodiscard]] bool wanted(const char* name, const ChosenTolerance& tolerance, const char* kind) const {
    return (std::string(name) + ", " + text_of(tolerance) + ", " + kind).find(options_.row) != std::string::npos;
  }
  static std::string text_of(const ChosenTolerance& tolerance) {
    switch (tolerance.kind) {
      case ChosenTolerance::Kind::derived: return "derived";
      case ChosenTolerance::Kind::exact: return "exact";
      case ChosenTolerance::Kind::ulps: return "ulps";
      case ChosenTolerance::Kind::preset: return "preset";
      case ChosenTolerance::Kind::absolute_relative: return "atol, rtol";
    }
    return "";
  }

  template <class T>
  void save(const Elements<T>& values, const std::string& name) const {
    std::ofstream file(options_.save + "/" + name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
    if (!file) std::cerr << "cannot write " << options_.save << '/' << name << '\n';
  }

  Options options_;
  std::atomic<std::size_t> used_{0}, most_{0};
  CountingHost host_;
  std::uint64_t sink_ = 0;
};

}  // namespace

int main(int argument_count, char** arguments) {
  Options options;
  for (int i = 1; i < argument_count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = i + 1 < argument_count ? arguments[i + 1] : "";
    Index number = 0;
    const bool is_number =
        std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() && number > 0;
    if (name == "--row" && !value.empty())
      options.row = value;
    else if (name == "--placement" && (value == "host" || value == "heap"))
      options.on_heap = value == "heap";
    else if (name == "--save" && !value.empty())
      options.save = value;
    else if (name == "--elements" && is_number)
      options.elements = number;
    else if (name == "--columns" && is_number)
      options.columns = number;
    else if (name == "--threads" && is_number)
      options.threads = static_cast<unsigned>(number);
    else if (name == "--repetitions" && is_number)
      options.repetitions = static_cast<unsigned>(number);
    else {
      std::cerr << "bench_compare: '" << name
                << "' is no option with a value of 1 or more; there are --elements, --columns, --threads, "
                   "--repetitions, --row TEXT, "
                   "--placement host|heap, --save FOLDER\n";
      return 2;
    }
  }
  if (options.elements % 4096 != 0 || options.elements % options.columns != 0) {
    std::cerr << "bench_compare: --elements " << options.elements << " is no multiple of 4096 and of --columns "
              << options.columns << '\n';
    return 2;
  }
  std::printf("%lld elements a side in rows of %lld, %u threads, %s\n\n", static_cast<long long>(options.elements),
              static_cast<long long>(options.columns), options.threads,
              std::string(name_of(instruction_set())).c_str());
  std::printf(
      "| pair | data | read ms | compare ms | ratio | GB/s | violations | memory KiB "
      "|\n|---|---|---|---|---|---|---|---|\n");
  Bench bench(options);
  ChosenTolerance close, coarse, ulps;
  close.kind = ChosenTolerance::Kind::absolute_relative;
  close.absolute = 1e-5;
  close.relative = 1e-2;
  coarse = close;
  coarse.relative = 2e-2;  // a bf16 number is up to 2^-7 from its neighbor
  ulps.kind = ChosenTolerance::Kind::ulps;
  ulps.ulps = 2;
  const bool done = bench.stored<float32>("f32 / f32", close) && bench.stored<bfloat16>("bf16 / bf16", coarse) &&
                    bench.stored<bfloat16>("bf16 / bf16", ulps) && bench.derived<bfloat16>("bf16 / f64 + E") &&
                    bench.derived<float32>("f32 / f64 + E");
  std::fprintf(stderr, "(%llx)\n", static_cast<unsigned long long>(bench.sink()));
  return done ? 0 : 1;
}
