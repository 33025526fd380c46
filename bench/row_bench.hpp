#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"
#include "read_pass.hpp"
#include "timing.hpp"

/// What the benches of operations that compute their references while they are compared share.

struct RowOptions {
  assay::Index elements = assay::Index{64} << 20;
  assay::Index columns = 8192;
  unsigned threads = 2;
  unsigned repetitions = 7;
  std::string operation;  ///< only this one
};

/// Empty, with a message, where the arguments are wrong.
inline std::optional<RowOptions> row_options(int count, char** arguments) {
  using assay::Index;
  RowOptions options;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = i + 1 < count ? arguments[i + 1] : "";
    Index number = 0;
    const bool is_number =
        std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() && number > 0;
    if (name == "--elements" && is_number)
      options.elements = number;
    else if (name == "--columns" && is_number)
      options.columns = number;
    else if (name == "--threads" && is_number)
      options.threads = static_cast<unsigned>(number);
    else if (name == "--operation" && !value.empty())
      options.operation = value;
    else if (name == "--repetitions" && is_number)
      options.repetitions = static_cast<unsigned>(number);
    else {
      std::cerr << ASSAY_BENCH ": '" << name
                << "' is no option with a value of 1 or more; there are --elements, --columns, --threads, "
                   "--repetitions, --operation NAME\n";
      return std::nullopt;
    }
  }
  if (options.elements % 4096 != 0 || options.elements % options.columns != 0) {
    std::cerr << ASSAY_BENCH ": --elements " << options.elements << " is no multiple of 4096 and of --columns "
              << options.columns << '\n';
    return std::nullopt;
  }
  std::printf("%lld elements in rows of %lld, %u threads, %s\n\n", static_cast<long long>(options.elements),
              static_cast<long long>(options.columns), options.threads,
              std::string(name_of(assay::instruction_set())).c_str());
  return options;
}

/// Full validations of elements of type T beside a bare parallel read of what they read.
template <class T>
class RowBench {
 public:
  RowBench(const RowOptions& options, assay::Host& host) : options_(options), host_(host) {}

  [[nodiscard]] std::vector<T> array() const { return std::vector<T>(static_cast<std::size_t>(options_.elements)); }
  /// Fills an array with numbers uniform in [−4, 4); `stream` makes others.
  void draw(std::vector<T>& array, std::uint64_t stream) const {
    constexpr std::size_t block = 4096;
    host_.thread_pool().for_each_index(array.size() / block, [&](std::size_t index) {
      for (std::size_t i = index * block; i < (index + 1) * block; ++i) {
        std::uint64_t bits = (i + stream * array.size()) * 0x9e3779b97f4a7c15U;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
        array[i] = assay::encode<T>(static_cast<double>(static_cast<std::int64_t>(bits ^ (bits >> 27))) * 0x1p-61);
      }
    });
  }
  [[nodiscard]] assay::Operand rows_of(std::vector<T>& array) const {
    return assay::contiguous_operand(array.data(), {options_.elements / options_.columns, options_.columns});
  }

  struct Medians {
    double read = 0, reference = 0, validation = 0, ratio = 0;  ///< seconds, and validation over read
    unsigned long long violations = 0;
  };

  /// Validates an output that holds the references, rounded, which `reference()` makes; `read` are the arrays that a
  /// validation reads.
  template <class Reference>
  [[nodiscard]] std::optional<Medians> measure(const Reference& reference, std::vector<T>& output,
                                               const std::vector<const std::vector<T>*>& read) {
    const auto first = reference();
    if (!first) return failed(first.error().message);
    write(first.value().expected, output);
    std::vector<Array> arrays;
    for (const std::vector<T>* array : read) arrays.push_back({array->data(), array->size() * sizeof(T)});
    assay::Host::Stream stream;
    std::vector<double> reads, references, validations, ratios;
    Medians medians;
    for (unsigned repetition = 0; repetition <= options_.repetitions; ++repetition) {
      auto start = std::chrono::steady_clock::now();
      sink_ ^= read_pass(host_.thread_pool(), arrays);
      const double read_seconds = seconds_since(start);
      start = std::chrono::steady_clock::now();
      const auto found = reference();
      if (!found) return failed(found.error().message);
      const double reference_seconds = seconds_since(start);
      const auto compared =
          compare_operand(host_, stream, rows_of(output), found.value().expected, assay::ChosenTolerance{});
      const double seconds = seconds_since(start);
      if (!compared) return failed(compared.error().message);
      medians.violations = compared.value().violations;
      if (repetition == 0) continue;
      reads.push_back(read_seconds);
      references.push_back(reference_seconds);
      validations.push_back(seconds);
      ratios.push_back(seconds / read_seconds);
    }
    medians.read = median(reads);
    medians.reference = median(references);
    medians.validation = median(validations);
    medians.ratio = median(ratios);
    return medians;
  }

  [[nodiscard]] const RowOptions& options() const { return options_; }
  [[nodiscard]] assay::Host& host() const { return host_; }
  /// To be printed: keeps the compiler from leaving reads out.
  [[nodiscard]] unsigned long long sink() const { return sink_; }

 private:
  static std::nullopt_t failed(const std::string& message) {
    std::cerr << message << '\n';
    return std::nullopt;
  }
  /// References, rounded: the outputs of a kernel that is right.
  template <class Expected>
  void write(const Expected& expected, std::vector<T>& output) const {
    using assay::Index;
    const Index columns = options_.columns;
    host_.thread_pool().for_each_index(static_cast<std::size_t>(options_.elements / columns), [&](std::size_t row) {
      std::vector<double> value(static_cast<std::size_t>(columns)), error(value.size());
      for (Index at = 0; at < columns; at += assay::expected_block_columns)
        expected.expected_block(static_cast<Index>(row), at, std::min(assay::expected_block_columns, columns - at),
                                value.data() + at, error.data() + at);
      for (std::size_t i = 0; i < value.size(); ++i) output[row * value.size() + i] = assay::encode<T>(value[i]);
    });
  }

  RowOptions options_;
  assay::Host& host_;
  std::uint64_t sink_ = 0;
};
