// The speed of full validations of elementwise functions, beside a bare parallel read of their inputs and outputs.
//
//   bench_elementwise [--elements N] [--columns N] [--threads N] [--repetitions N]
//
// Prints Markdown: medians of interleaved runs. A validation is reference, bound and comparison of every element. Exit code: 2 for wrong arguments, 1 for errors.

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/core/detail/vector_variants.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"

namespace {

using namespace assay;

struct Options {
  Index elements = Index{64} << 20;
  Index columns = 8192;
  unsigned threads = 2;
  unsigned repetitions = 7;
};

/// The bytes of an array, read and folded: the least that any validation must do.
struct ReadAll {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const unsigned char* const& start, const std::size_t& bytes, std::uint64_t& folded) {
    using Word = detail::Vector<std::uint64_t, Bytes>;
    typename Word::Type sums[4] = {};
    for (std::size_t at = 0; at + 4 * Bytes <= bytes; at += 4 * Bytes) {
#pragma GCC unroll 4
      for (std::size_t part = 0; part < 4; ++part) sums[part] ^= *reinterpret_cast<const typename Word::Unaligned*>(start + at + part * Bytes);
    }
    const typename Word::Type all = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
    for (std::size_t lane = 0; lane < Word::lanes; ++lane) folded ^= all[lane];
  }
};

double seconds_since(std::chrono::steady_clock::time_point start) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class T>
class Bench {
 public:
  Bench(const Options& options, Host& host) : options_(options), host_(host) {
    for (std::vector<T>* array : {&x_, &y_, &output_}) array->resize(static_cast<std::size_t>(options.elements));
    host_.thread_pool().for_each_index(x_.size() / block, [&](std::size_t index) {
      for (std::size_t i = index * block; i < (index + 1) * block; ++i) x_[i] = number(i), y_[i] = number(i + x_.size());
    });
  }

  bool measure(ElementwiseFunction function) {
    ElementwiseProblem problem;
    problem.function = function;
    problem.rank = 2;
    const Index rows = problem.extents[0] = options_.elements / options_.columns, columns = problem.extents[1] = options_.columns;
    problem.input = problem.second = problem.output = element_format<T>();
    OperandArray operands;
    operands[Elementwise::x] = contiguous_operand(x_.data(), {rows, columns});
    operands[Elementwise::y] = contiguous_operand(y_.data(), {rows, columns});
    operands[Elementwise::output] = contiguous_operand(output_.data(), {rows, columns});
    Host::Stream stream;
    const bool two = operands_of(function) > 1;
    std::vector<double> reads, validations, ratios;
    std::uint64_t violations = 0;
    for (unsigned repetition = 0; repetition <= options_.repetitions; ++repetition) {
      auto start = std::chrono::steady_clock::now();
      read(x_);
      if (two) read(y_);
      read(output_);
      const double read_seconds = seconds_since(start);
      start = std::chrono::steady_clock::now();
      const auto reference = Elementwise::reference(host_, stream, problem, operands, RoundingModel::worst_case, Arithmetic{});
      if (!reference) return failed(reference.error().message);
      if (repetition == 0) {
        write(reference.value().expected, rows);
        continue;
      }
      const auto compared = compare_operand(host_, stream, operands[Elementwise::output], reference.value().expected, ChosenTolerance{});
      const double seconds = seconds_since(start);
      if (!compared) return failed(compared.error().message);
      violations = compared.value().violations;
      reads.push_back(read_seconds);
      validations.push_back(seconds);
      ratios.push_back(seconds / read_seconds);
    }
    std::printf("| %s | %s | %.1f | %.1f | %.2f | %llu |\n", std::string(name_of(function)).c_str(), FormatTraits<T>::name(), median(reads) * 1e3, median(validations) * 1e3, median(ratios),
                static_cast<unsigned long long>(violations));
    std::fflush(stdout);
    return true;
  }

  [[nodiscard]] std::uint64_t sink() const { return sink_; }

 private:
  static constexpr std::size_t block = 4096;

  /// Uniform in [−4, 4).
  static T number(std::uint64_t i) {
    std::uint64_t bits = i * 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    return encode<T>(static_cast<double>(static_cast<std::int64_t>(bits ^ (bits >> 27))) * 0x1p-61);
  }
  static bool failed(const std::string& message) {
    std::cerr << message << '\n';
    return false;
  }
  /// References, rounded: the outputs of a kernel that is right.
  void write(const ElementwiseExpected& expected, Index rows) {
    const Index columns = options_.columns;
    host_.thread_pool().for_each_index(static_cast<std::size_t>(rows), [&](std::size_t row) {
      std::vector<double> value(static_cast<std::size_t>(columns)), error(value.size());
      for (Index at = 0; at < columns; at += expected_block_columns)
        expected.expected_block(static_cast<Index>(row), at, std::min(expected_block_columns, columns - at), value.data() + at, error.data() + at);
      for (std::size_t i = 0; i < value.size(); ++i) output_[row * value.size() + i] = encode<T>(value[i]);
    });
  }
  void read(const std::vector<T>& array) {
    constexpr std::size_t chunks = 384;
    host_.thread_pool().for_each_index(chunks, [&](std::size_t chunk) {
      std::uint64_t folded = 0;
      const std::size_t bytes = array.size() * sizeof(T) / chunks;
      const auto* const start = reinterpret_cast<const unsigned char*>(array.data()) + chunk * bytes;
      detail::run_variant<ReadAll>(instruction_set(), start, bytes, folded);
      sink_ ^= folded;
    });
  }

  Options options_;
  Host& host_;
  std::vector<T> x_, y_, output_;
  std::atomic<std::uint64_t> sink_{0};
};

template <class T>
bool measure_all(const Options& options, Host& host) {
  Bench<T> bench(options, host);
  for (const ElementwiseFunction function : {ElementwiseFunction::relu, ElementwiseFunction::add, ElementwiseFunction::silu, ElementwiseFunction::gelu_tanh, ElementwiseFunction::sigmoid})
    if (!bench.measure(function)) return false;
  std::fprintf(stderr, "(%llx)\n", static_cast<unsigned long long>(bench.sink()));
  return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
  Options options;
  for (int i = 1; i < argument_count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = i + 1 < argument_count ? arguments[i + 1] : "";
    Index number = 0;
    const bool is_number = std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() && number > 0;
    if (name == "--elements" && is_number) options.elements = number;
    else if (name == "--columns" && is_number) options.columns = number;
    else if (name == "--threads" && is_number) options.threads = static_cast<unsigned>(number);
    else if (name == "--repetitions" && is_number) options.repetitions = static_cast<unsigned>(number);
    else {
      std::cerr << "bench_elementwise: '" << name << "' is no option with a value of 1 or more; there are --elements, --columns, --threads, --repetitions\n";
      return 2;
    }
  }
  if (options.elements % 4096 != 0 || options.elements % options.columns != 0) {
    std::cerr << "bench_elementwise: --elements " << options.elements << " is no multiple of 4096 and of --columns " << options.columns << '\n';
    return 2;
  }
  std::printf("%lld elements in rows of %lld, %u threads, %s\n\n", static_cast<long long>(options.elements), static_cast<long long>(options.columns), options.threads,
              std::string(name_of(instruction_set())).c_str());
  std::printf("| function | format | read ms | validation ms | ratio | violations |\n|---|---|---|---|---|---|\n");
  Host host(options.threads);
  return measure_all<float32>(options, host) && measure_all<bfloat16>(options, host) ? 0 : 1;
}
