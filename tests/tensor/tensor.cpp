#include "assay/tensor/tensor.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>

#include "assay/backends/host.hpp"
#include "assay/formats/classify.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

template <class T>
Tensor<T, Host> make(Host& host, Index elements, Index misalignment = 0) {
  Host::Stream stream;
  auto tensor = Tensor<T, Host>::create(host, stream, elements, misalignment);
  REQUIRE(tensor);
  return std::move(tensor).value();
}

template <class T>
CanaryReport canaries(Host& host, const Tensor<T, Host>& tensor) {
  Host::Stream stream;
  const auto report = tensor.check_canaries(host, stream);
  REQUIRE(report);
  return report.value();
}

template <class T>
std::uint64_t fingerprint(Host& host, const Tensor<T, Host>& tensor) {
  Host::Stream stream;
  const auto number = tensor.fingerprint(host, stream);
  REQUIRE(number);
  return number.value();
}

}  // namespace

TEMPLATE_TEST_CASE("a new tensor is poisoned, aligned, and its canaries are intact", "[tensor]", float64, float32,
                   float16, bfloat16) {
  Host host(2);
  for (const Index elements : {Index{0}, Index{1}, Index{5000}})
    for (const Index misalignment : {Index{0}, Index{1}, Index{3}}) {
      auto tensor = make<TestType>(host, elements, misalignment);
      CHECK(tensor.size() == elements);
      REQUIRE(tensor.data() != nullptr);
      const auto address = reinterpret_cast<std::uintptr_t>(tensor.data());
      CHECK(address % 64 == static_cast<std::uintptr_t>(misalignment) * sizeof(TestType) % 64);
      for (Index i = 0; i < elements; ++i) REQUIRE(is_nan(tensor.data()[i]));
      CHECK(canaries(host, tensor).intact());
    }
}

TEMPLATE_TEST_CASE("every byte overwritten before or behind a tensor is found, with the count", "[tensor]", float64,
                   float32, float16, bfloat16) {
  Host host(2);
  constexpr std::size_t canary = 4096, misalignment = 3;
  auto tensor = make<TestType>(host, 37, misalignment);
  auto* first = reinterpret_cast<unsigned char*>(tensor.data());
  auto* behind = first + 37 * sizeof(TestType);
  for (std::size_t byte = 1; byte <= canary + misalignment * sizeof(TestType); ++byte) {
    first[-static_cast<std::ptrdiff_t>(byte)] ^= 0x10;
    const CanaryReport report = canaries(host, tensor);
    if (report.overwritten_before != 1 || report.overwritten_after != 0 || report.intact())
      FAIL("byte " << byte << " before the first");
    first[-static_cast<std::ptrdiff_t>(byte)] ^= 0x10;
  }
  for (std::size_t byte = 0; byte < canary; ++byte) {
    behind[byte] ^= 0x10;
    const CanaryReport report = canaries(host, tensor);
    if (report.overwritten_before != 0 || report.overwritten_after != 1 || report.intact())
      FAIL("byte " << byte << " behind the last");
    behind[byte] ^= 0x10;
  }
  CHECK(canaries(host, tensor).intact());
  std::memset(first, 0, 37 * sizeof(TestType));  // the elements themselves may be written
  CHECK(canaries(host, tensor).intact());
  std::memset(first - 2 * sizeof(TestType), 0, 2 * sizeof(TestType));
  std::memset(behind, 0, 5 * sizeof(TestType));
  CHECK(canaries(host, tensor).overwritten_before == 2);
  CHECK(canaries(host, tensor).overwritten_after == 5);
}

TEMPLATE_TEST_CASE("a fingerprint changes with any bit of the allocation and comes back with it", "[tensor]", float32,
                   float16) {
  Host host(1);
  auto tensor = make<TestType>(host, 50, 1);
  const std::uint64_t before = fingerprint(host, tensor);
  auto* start = reinterpret_cast<unsigned char*>(tensor.data()) - 4096 - sizeof(TestType);
  std::set<std::uint64_t> seen{before};
  const std::size_t bits = (2 * 4096 + 51 * sizeof(TestType)) * 8;
  for (std::size_t bit = 0; bit < bits; ++bit) {
    start[bit / 8] = static_cast<unsigned char>(start[bit / 8] ^ 1u << bit % 8);
    seen.insert(fingerprint(host, tensor));
    start[bit / 8] = static_cast<unsigned char>(start[bit / 8] ^ 1u << bit % 8);
  }
  CHECK(seen.size() == bits + 1);
  CHECK(fingerprint(host, tensor) == before);
}

TEST_CASE("a fingerprint is the same for any number of threads, and tells exchanged elements", "[tensor]") {
  Host one(1);
  auto tensor = make<float32>(one, 100000);
  for (Index i = 0; i < tensor.size(); ++i) tensor.data()[i] = static_cast<float>(i);
  const std::uint64_t before = fingerprint(one, tensor);
  for (unsigned threads = 2; threads <= 8; ++threads) {
    Host host(threads);
    CHECK(fingerprint(host, tensor) == before);
  }
  std::swap(tensor.data()[7], tensor.data()[8]);
  CHECK(fingerprint(one, tensor) != before);
}

TEST_CASE("what changing one element does to a fingerprint cannot be undone by changing another alike", "[tensor]") {
  // the differences that +1 in the last place makes: all different, or errors of opposite sign would cancel by chance
  std::set<std::uint64_t> differences;
  constexpr int samples = 1 << 20;
  const auto contribution = [](float value) {
    detail::Tally tally;
    detail::FingerprintChunk<float32>{&value, 1}(0, tally);
    return tally.count;
  };
  for (std::uint32_t i = 0; i < samples; ++i)
    differences.insert(contribution(FormatTraits<float32>::from_bits(2 * i + 1)) -
                       contribution(FormatTraits<float32>::from_bits(2 * i)));
  CHECK(differences.size() == samples);
}

TEMPLATE_TEST_CASE("poison overwrites the elements only, in two patterns that differ", "[tensor]", float64, float32,
                   float16, bfloat16) {
  using Traits = FormatTraits<TestType>;
  Host host(2);
  Host::Stream stream;
  auto tensor = make<TestType>(host, 10000);
  REQUIRE(tensor.poison(host, stream));
  const auto fresh = Traits::to_bits(tensor.data()[0]);
  std::memset(static_cast<void*>(tensor.data()), 0, 10000 * sizeof(TestType));
  REQUIRE(tensor.poison(host, stream, 1));
  const auto other = Traits::to_bits(tensor.data()[0]);
  CHECK(other != fresh);
  for (Index i = 0; i < tensor.size(); ++i) {
    REQUIRE(Traits::to_bits(tensor.data()[i]) == other);
    REQUIRE(is_nan(tensor.data()[i]));
    REQUIRE(other !=
            Traits::to_bits(encode<TestType>(std::numeric_limits<double>::quiet_NaN())));  // not what arithmetic gives
  }
  CHECK(canaries(host, tensor).intact());
  REQUIRE(tensor.poison(host, stream));
  CHECK(Traits::to_bits(tensor.data()[9999]) == fresh);
}

TEST_CASE("sizes that no machine has are a refusal of the environment, negative ones a misuse", "[tensor]") {
  Host host(1);
  Host::Stream stream;
  constexpr Index most = std::numeric_limits<Index>::max();
  for (const auto& [elements, misalignment] : {std::pair<Index, Index>{most, 0},
                                               {most, most},
                                               {0, most},
                                               {most / 8, 0},
                                               {Index{1} << 58, 0},
                                               {Index{1} << 60, 5}}) {
    const auto tensor = Tensor<float64, Host>::create(host, stream, elements, misalignment);
    REQUIRE_FALSE(tensor);
    CHECK(tensor.error().kind == ErrorKind::out_of_memory);
    CHECK_FALSE(tensor.error().message.empty());
  }
  const auto bytes = Tensor<float16, Host>::create(host, stream, most, most);
  REQUIRE_FALSE(bytes);
  CHECK(bytes.error().kind == ErrorKind::out_of_memory);
  const auto attempt = [&](Index elements, Index misalignment) {
    static_cast<void>(Tensor<float64, Host>::create(host, stream, elements, misalignment));
  };
  CHECK_THROWS_WITH(attempt(-1, 0), contains("a tensor of -1 elements"));
  CHECK_THROWS_WITH(attempt(1, -1), contains("misalignment -1"));
  CHECK_THROWS_AS(attempt(std::numeric_limits<Index>::min(), 0), Misuse);
}

TEST_CASE("a tensor moves with its memory and is not copied", "[tensor]") {
  static_assert(!std::is_copy_constructible_v<Tensor<float32, Host>>);
  static_assert(std::is_nothrow_move_constructible_v<Tensor<float32, Host>>);
  Host host(1);
  auto tensor = make<float32>(host, 10, 2);
  tensor.data()[9] = 4;
  const float32* address = tensor.data();
  const auto moved = std::move(tensor);
  CHECK(moved.data() == address);
  CHECK(moved.data()[9] == 4);
  CHECK(canaries(host, moved).intact());
}
