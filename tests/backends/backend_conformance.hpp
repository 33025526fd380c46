#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/parallel_reduce.hpp"
#include "testing/catch.hpp"

/// What every backend must do, as checks that take one. Functors live at namespace scope, for devices' sake.
namespace assay::testing {

struct CountVisits {
  unsigned* visits;
  ASSAY_FUNCTION void operator()(std::size_t i) const { visits[i] += static_cast<unsigned>(i % 7) + 1; }
};

struct FillWith {
  float* values;
  float value;
  ASSAY_FUNCTION void operator()(std::size_t i) const { values[i] = value; }
};

struct AddTo {
  float* values;
  float value;
  ASSAY_FUNCTION void operator()(std::size_t i) const { values[i] += value; }
};

/// Arithmetic whose result tells the rounding direction and whether subnormals are kept.
struct RevealEnvironment {
  const double* operands;  ///< 1, 2^-60, the smallest normal, 0.5
  double* results;         ///< three for each index
  ASSAY_FUNCTION void operator()(std::size_t i) const {
    results[3 * i] = operands[0] + operands[1];
    results[3 * i + 1] = operands[1] - operands[0];
    results[3 * i + 2] = operands[2] * operands[3];
  }
};

/// A sum whose bits depend on the order of its terms.
struct HarmonicPartial {
  double sum;
  std::uint64_t terms;
  void join(const HarmonicPartial& next) {
    sum += next.sum;
    terms += next.terms;
  }
};
struct HarmonicWork {
  std::size_t terms_per_chunk;
  ASSAY_FUNCTION void operator()(std::size_t chunk, HarmonicPartial& partial) const {
    for (std::size_t i = 0; i < terms_per_chunk; ++i) {
      partial.sum += 1.0 / static_cast<double>(chunk * terms_per_chunk + i + 1);
      partial.terms += 1;
    }
  }
};

struct ThreeBytes {
  unsigned char bytes[3];
};

template <ParallelBackend B>
void check_identity(const B& backend) {
  const std::string name(backend.name());
  CHECK_FALSE(name.empty());
  CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos);
  const Capabilities capabilities = backend.capabilities();
  CHECK_FALSE(capabilities.device.empty());
  CHECK(capabilities.concurrency >= 1);
}

template <ParallelBackend B>
void check_allocation(B& backend) {
  const auto is_aligned = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 64 == 0; };
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{3}, std::size_t{63}, std::size_t{4097}, std::size_t{1} << 20}) {
    auto floats = backend.template allocate<float>(count);
    auto odd = backend.template allocate<ThreeBytes>(count);
    REQUIRE(floats.has_value());
    REQUIRE(odd.has_value());
    CHECK(floats.value().size() == count);
    CHECK(odd.value().size() == count);
    CHECK(is_aligned(floats.value().data()));
    CHECK(is_aligned(odd.value().data()));
    CHECK(static_cast<void*>(floats.value().data()) != static_cast<void*>(odd.value().data()));
  }

  auto none = backend.template allocate<double>(0);
  REQUIRE(none.has_value());
  CHECK(none.value().size() == 0);
  CHECK(none.value().data() == nullptr);

  constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();
  // 2^60 doubles fit no machine; the others overflow when counted in bytes, one of them to exactly 8
  for (const std::size_t count :
       {std::size_t{1} << 57, std::size_t{1} << 60, everything / 8, everything / 8 + 2, everything}) {
    auto refused = backend.template allocate<double>(count);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind == ErrorKind::out_of_memory);
    CHECK_THAT(refused.error().message, contains(std::to_string(count)));
    CHECK_THAT(refused.error().message, contains(std::string(backend.name())));
  }
}

template <ParallelBackend B>
void check_buffers_move(B& backend) {
  using Buffer = typename B::template Buffer<float>;
  static_assert(!std::is_copy_constructible_v<Buffer> && !std::is_copy_assignable_v<Buffer>);
  static_assert(std::is_nothrow_move_constructible_v<Buffer> && std::is_nothrow_move_assignable_v<Buffer>);
  Buffer first = backend.template allocate<float>(10).value();
  Buffer second = backend.template allocate<float>(20).value();
  const float* const address = first.data();
  second = std::move(first);
  CHECK(second.data() == address);
  CHECK(second.size() == 10);
  CHECK(first.data() == nullptr);
  CHECK(first.size() == 0);
  Buffer third = std::move(second);
  CHECK(third.data() == address);
  CHECK(second.data() == nullptr);
}

template <ParallelBackend B>
void check_memory_resource(B& backend) {
  auto& resource = backend.memory_resource();
  void* const memory = resource.allocate(1000, 64);
  REQUIRE(memory != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0);
  resource.deallocate(memory, 1000, 64);
  CHECK(resource.allocate(std::numeric_limits<std::size_t>::max(), 64) == nullptr);
  CHECK(resource.allocate(std::size_t{1} << 60, 64) == nullptr);
}

template <ParallelBackend B>
void check_copies(B& backend) {
  auto stream = backend.make_stream().value();
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{300007}}) {
    std::vector<float> sent(count), received(count + 2, -1.0f);
    std::iota(sent.begin(), sent.end(), 0.5f);
    auto buffer = backend.template allocate<float>(count);
    REQUIRE(buffer.has_value());
    REQUIRE(backend.copy_to_device(stream, buffer.value().data(), sent.data(), count).has_value());
    REQUIRE(backend.copy_to_host(stream, received.data() + 1, buffer.value().data(), count).has_value());
    REQUIRE(backend.synchronize(stream).has_value());
    CHECK(std::equal(sent.begin(), sent.end(), received.begin() + 1));
    CHECK(received.front() == -1.0f);
    CHECK(received.back() == -1.0f);
  }

  const std::array<ThreeBytes, 3> sent{{{{1, 2, 3}}, {{4, 5, 6}}, {{7, 8, 9}}}};
  std::array<ThreeBytes, 3> received{};
  auto buffer = backend.template allocate<ThreeBytes>(3).value();
  REQUIRE(backend.copy_to_device(stream, buffer.data(), sent.data(), 3).has_value());
  REQUIRE(backend.copy_to_host(stream, received.data(), buffer.data() + 1, 2).has_value());
  REQUIRE(backend.synchronize(stream).has_value());
  CHECK(received[0].bytes[0] == 4);
  CHECK(received[1].bytes[2] == 9);
  CHECK(received[2].bytes[0] == 0);

  float value = 0;
  const float* const nowhere = nullptr;
  CHECK_THROWS_AS(backend.copy_to_host(stream, &value, nowhere, 1), Misuse);
  CHECK_THROWS_AS(backend.copy_to_device(stream, static_cast<float*>(nullptr), &value, 1), Misuse);
  CHECK(backend.copy_to_host(stream, static_cast<float*>(nullptr), nowhere, 0).has_value());
}

template <ParallelBackend B>
void check_events(B& backend) {
  auto stream = backend.make_stream().value();
  auto first = backend.make_event().value();
  auto second = backend.make_event().value();
  auto never = backend.make_event().value();
  constexpr std::size_t count = 1 << 16;
  auto buffer = backend.template allocate<float>(count).value();
  REQUIRE(backend.record(first, stream).has_value());
  REQUIRE(backend.parallel_for(stream, count, FillWith{buffer.data(), 1.0f}).has_value());
  REQUIRE(backend.record(second, stream).has_value());
  REQUIRE(backend.synchronize(stream).has_value());
  const auto there = backend.elapsed_seconds(first, second);
  const auto back = backend.elapsed_seconds(second, first);
  REQUIRE(there.has_value());
  REQUIRE(back.has_value());
  CHECK(there.value() > 0);
  CHECK(back.value() == -there.value());
  CHECK(backend.elapsed_seconds(first, first).value() == 0);
  CHECK(backend.elapsed_seconds(first, never).error().kind == ErrorKind::invalid);
  CHECK(backend.elapsed_seconds(never, first).error().kind == ErrorKind::invalid);
  CHECK(backend.wait(stream, never).error().kind == ErrorKind::invalid);
}

/// Work of one stream runs in order, and work of another after the event it waits for.
template <ParallelBackend B>
void check_streams(B& backend) {
  auto one = backend.make_stream().value();
  auto two = backend.make_stream().value();
  auto filled = backend.make_event().value();
  constexpr std::size_t count = 100000;
  auto buffer = backend.template allocate<float>(count).value();
  REQUIRE(backend.parallel_for(one, count, FillWith{buffer.data(), 1.0f}).has_value());
  REQUIRE(backend.parallel_for(one, count, AddTo{buffer.data(), 2.0f}).has_value());
  REQUIRE(backend.record(filled, one).has_value());
  REQUIRE(backend.wait(two, filled).has_value());
  REQUIRE(backend.parallel_for(two, count, AddTo{buffer.data(), 4.0f}).has_value());
  std::vector<float> on_host(count);
  REQUIRE(backend.copy_to_host(two, on_host.data(), buffer.data(), count).has_value());
  REQUIRE(backend.synchronize(two).has_value());
  CHECK(on_host == std::vector<float>(count, 7.0f));
}

template <ParallelBackend B>
void check_parallel_for(B& backend) {
  auto stream = backend.make_stream().value();
  constexpr std::size_t guard = 64;
  for (const std::size_t count :
       std::initializer_list<std::size_t>{0, 1, 2, 3, 7, 16, 63, 64, 65, 1000, 4096, 100003, 3000000}) {
    std::vector<unsigned> visits(count + guard, 0);
    auto buffer = backend.template allocate<unsigned>(count + guard).value();
    REQUIRE(backend.copy_to_device(stream, buffer.data(), visits.data(), visits.size()).has_value());
    REQUIRE(backend.parallel_for(stream, count, CountVisits{buffer.data()}).has_value());
    REQUIRE(backend.copy_to_host(stream, visits.data(), buffer.data(), visits.size()).has_value());
    REQUIRE(backend.synchronize(stream).has_value());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < visits.size(); ++i) wrong += visits[i] != (i < count ? i % 7 + 1 : 0) ? 1 : 0;
    INFO("count " << count);
    CHECK(wrong == 0);
  }
}

/// Only meaningful where the caller, and the threads it makes, run in another environment than the default one.
template <ParallelBackend B>
void check_environment_of_functors(B& backend) {
  auto stream = backend.make_stream().value();
  constexpr std::size_t count = 5000;
  const std::array<double, 4> operands{1.0, 0x1p-60, 0x1p-1022, 0.5};
  auto inputs = backend.template allocate<double>(4).value();
  auto outputs = backend.template allocate<double>(3 * count).value();
  std::vector<double> results(3 * count);
  REQUIRE(backend.copy_to_device(stream, inputs.data(), operands.data(), 4).has_value());
  REQUIRE(backend.parallel_for(stream, count, RevealEnvironment{inputs.data(), outputs.data()}).has_value());
  REQUIRE(backend.copy_to_host(stream, results.data(), outputs.data(), results.size()).has_value());
  REQUIRE(backend.synchronize(stream).has_value());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    wrong += __builtin_bit_cast(std::uint64_t, results[3 * i]) != __builtin_bit_cast(std::uint64_t, 1.0) ? 1 : 0;
    wrong += __builtin_bit_cast(std::uint64_t, results[3 * i + 1]) != __builtin_bit_cast(std::uint64_t, -1.0) ? 1 : 0;
    wrong += __builtin_bit_cast(std::uint64_t, results[3 * i + 2]) != std::uint64_t{1} << 51 ? 1 : 0;
  }
  CHECK(wrong == 0);
}

/// The bits of an order-sensitive reduction: the same from every backend on IEEE hardware.
template <ParallelBackend B>
std::uint64_t bits_of_reduction(B& backend, std::size_t chunks) {
  auto stream = backend.make_stream().value();
  const auto total = parallel_reduce<HarmonicPartial>(backend, stream, chunks, HarmonicWork{613});
  REQUIRE(total.has_value());
  CHECK(total.value().terms == chunks * 613);
  return __builtin_bit_cast(std::uint64_t, total.value().sum);
}

inline std::uint64_t expected_bits_of_reduction(std::size_t chunks) {
  HarmonicPartial total{0, 0};
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    HarmonicPartial partial{0, 0};
    HarmonicWork{613}(chunk, partial);
    if (chunk == 0)
      total = partial;
    else
      total.join(partial);
  }
  return __builtin_bit_cast(std::uint64_t, total.sum);
}

template <ParallelBackend B>
void check_parallel_reduce(B& backend) {
  for (const std::size_t chunks : std::initializer_list<std::size_t>{0, 1, 2, 17, 1000})
    CHECK(bits_of_reduction(backend, chunks) == expected_bits_of_reduction(chunks));
}

template <ParallelBackend B>
void check_copies_share(B& backend) {
  B copy = backend;
  B taken = std::move(copy);
  auto stream = taken.make_stream().value();
  auto buffer = taken.template allocate<float>(100).value();
  REQUIRE(backend.parallel_for(stream, 100, FillWith{buffer.data(), 3.0f}).has_value());
  std::vector<float> on_host(100);
  REQUIRE(taken.copy_to_host(stream, on_host.data(), buffer.data(), 100).has_value());
  REQUIRE(taken.synchronize(stream).has_value());
  CHECK(on_host == std::vector<float>(100, 3.0f));
}

/// What needs no work of the backend's own.
template <ParallelBackend B>
void check_memory(B& backend) {
  SECTION("identity") {
    check_identity(backend);
  }
  SECTION("allocation") {
    check_allocation(backend);
  }
  SECTION("buffers move") {
    check_buffers_move(backend);
  }
  SECTION("memory resource") {
    check_memory_resource(backend);
  }
  SECTION("copies") {
    check_copies(backend);
  }
}

template <ParallelBackend B>
void check_backend(B& backend) {
  check_memory(backend);
  SECTION("events") {
    check_events(backend);
  }
  SECTION("streams") {
    check_streams(backend);
  }
  SECTION("parallel_for") {
    check_parallel_for(backend);
  }
  SECTION("parallel_reduce") {
    check_parallel_reduce(backend);
  }
  SECTION("copies of the backend") {
    check_copies_share(backend);
  }
}

}  // namespace assay::testing
