// The speed of `convert`, beside a parallel copy that moves as many bytes.
//
//   bench_convert [--elements N] [--threads N] [--repetitions N]
//
// Prints Markdown: medians of interleaved runs, and the copy's time over the conversion's: 1 is the speed of the copy.
// A conversion moves what it reads and what it writes; the copy reads half of that and writes half, on the same
// threads, by memcpy in one piece a thread. Exit code: 2 for wrong arguments, 1 for errors.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/formats/detail/mx_blocks.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/tensor/convert.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

struct Options {
  std::size_t elements = std::size_t{64} << 20;
  unsigned threads = 2;
  unsigned repetitions = 9;
};

/// Normally distributed values, roughly, about 1: the sum of four uniform ones.
float value_at(std::uint64_t counter) {
  std::uint64_t bits = (counter + 1) * 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  double sum = -2;
  for (int part = 0; part < 4; ++part) sum += static_cast<double>(bits >> (16 * part) & 0xffff) * 0x1p-16;
  return static_cast<float>(2 * sum);
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options),
        host_(options.threads),
        singles_(options.elements),
        results_(options.elements),
        codes_(2 * options.elements + 64),
        source_(4 * options.elements),
        target_(4 * options.elements) {
    constexpr std::size_t block = 4096;
    host_.thread_pool().for_each_index((options.elements + block - 1) / block, [&](std::size_t index) {
      for (std::size_t i = index * block; i < std::min(options.elements, (index + 1) * block); ++i)
        singles_[i] = value_at(i);
    });
    std::memset(source_.data(), 1, source_.size());
  }

  template <class T>
  bool both_ways() {
    T* const codes = reinterpret_cast<T*>(codes_.data());
    return measure(std::string("f32 → ") + FormatTraits<T>::name(), sizeof(float) + sizeof(T),
                   [&] { return convert(host_, stream_, singles_.data(), codes, options_.elements); }) &&
           measure(std::string(FormatTraits<T>::name()) + " → f32", sizeof(float) + sizeof(T),
                   [&] { return convert(host_, stream_, codes, results_.data(), options_.elements); });
  }

  /// Blocks of 32 elements with a scale, in the way of OCP MX.
  template <class Element>
  bool blocks_both_ways(const char* name) {
    using Block = detail::MxBlock<Element>;
    constexpr std::size_t chunk = 1024;
    const std::size_t blocks = options_.elements / Block::elements, chunks = (blocks + chunk - 1) / chunk;
    std::uint8_t* const codes = codes_.data();
    std::uint8_t* const scales = codes + blocks * Block::code_bytes;
    const double bytes = sizeof(float) + static_cast<double>(Block::code_bytes + 1) / Block::elements;
    const auto in_chunks = [&](const auto& action) {
      return [=, this] {
        return host_.parallel_for(stream_, chunks, [=](std::size_t index) {
          action(index * chunk, std::min(chunk, blocks - index * chunk));
        });
      };
    };
    return measure(std::string("f32 → ") + name, bytes,
                   in_chunks([=, from = singles_.data()](std::size_t first, std::size_t count) {
                     detail::encode_mx_blocks<Element>(from + first * Block::elements, scales + first,
                                                       codes + first * Block::code_bytes, count, true);
                   })) &&
           measure(std::string(name) + " → f32", bytes,
                   in_chunks([=, to = results_.data()](std::size_t first, std::size_t count) {
                     detail::decode_mx_blocks<Element>(scales + first, codes + first * Block::code_bytes,
                                                       to + first * Block::elements, count, true);
                   }));
  }

  template <class Action>
  bool measure(const std::string& name, double bytes_an_element, const Action& action) {
    const double bytes = bytes_an_element * static_cast<double>(options_.elements);
    std::vector<double> copies, conversions, ratios;
    for (unsigned repetition = 0; repetition < options_.repetitions + 1; ++repetition) {
      auto start = std::chrono::steady_clock::now();
      copy(static_cast<std::size_t>(bytes / 2));
      const double copy_seconds = seconds_since(start);
      start = std::chrono::steady_clock::now();
      if (const auto done = action(); !done) {
        std::cerr << done.error().message << '\n';
        return false;
      }
      const double seconds = seconds_since(start);
      if (repetition == 0) continue;
      copies.push_back(copy_seconds);
      conversions.push_back(seconds);
      ratios.push_back(copy_seconds / seconds);
    }
    std::printf("| %s | %.1f | %.1f | %.2f | %.1f |\n", name.c_str(), median(copies) * 1e3, median(conversions) * 1e3,
                median(ratios), bytes / median(conversions) * 1e-9);
    std::fflush(stdout);
    return true;
  }

 private:
  void copy(std::size_t bytes) {
    const std::size_t parts = options_.threads;
    host_.thread_pool().for_each_index(parts, [&](std::size_t part) {
      const std::size_t first = bytes / parts * part, last = part + 1 == parts ? bytes : bytes / parts * (part + 1);
      std::memcpy(target_.data() + first, source_.data() + first, last - first);
    });
  }

  Options options_;
  Host host_;
  Host::Stream stream_;
  std::vector<float> singles_, results_;
  std::vector<unsigned char> codes_, source_, target_;
};

}  // namespace

int main(int argument_count, char** arguments) {
  Options options;
  for (int i = 1; i < argument_count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = i + 1 < argument_count ? arguments[i + 1] : "";
    std::size_t number = 0;
    const bool is_number =
        std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() && number > 0;
    if (name == "--elements" && is_number)
      options.elements = number;
    else if (name == "--threads" && is_number)
      options.threads = static_cast<unsigned>(number);
    else if (name == "--repetitions" && is_number)
      options.repetitions = static_cast<unsigned>(number);
    else {
      std::cerr << "bench_convert: '" << name
                << "' is no option with a value of 1 or more; there are --elements, --threads, --repetitions\n";
      return 2;
    }
  }
  std::printf("%zu elements, %u threads, %s\n\n", options.elements, options.threads,
              std::string(name_of(instruction_set())).c_str());
  std::printf("| conversion | copy ms | convert ms | copy / convert | GB/s |\n|---|---|---|---|---|\n");
  Bench bench(options);
  const bool done = bench.both_ways<bfloat16>() && bench.both_ways<float16>() && bench.both_ways<float8_e4m3fn>() &&
                    bench.both_ways<float8_e5m2>() && bench.both_ways<float8_e4m3fnuz>() &&
                    bench.both_ways<float8_e5m2fnuz>() && bench.blocks_both_ways<float4_e2m1fn>("mxfp4") &&
                    bench.blocks_both_ways<float8_e4m3fn>("mxfp8 e4m3");
  return done ? 0 : 1;
}
