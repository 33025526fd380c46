#include "assay/tensor/convert.hpp"

#include <cstring>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// As one thread does it, around the size of a chunk.
template <class From, class To>
void check_parallel(Host& host, std::size_t count, Rounding rounding = Rounding::nearest_even,
                    Overflow overflow = Overflow::ieee) {
  std::vector<From> from(count);
  for (std::size_t i = 0; i < count; ++i) from[i] = encode<From>(0.01 * static_cast<double>(i % 100'003) - 480);
  std::vector<To> expected(count), actual(count + 1);
  std::memset(static_cast<void*>(actual.data()), 0x5a, (count + 1) * sizeof(To));
  const To untouched = actual.back();
  convert(from.data(), expected.data(), count, rounding, overflow);
  Host::Stream stream;
  REQUIRE(convert(host, stream, from.data(), actual.data(), count, rounding, overflow).has_value());
  INFO(FormatTraits<From>::name() << " to " << FormatTraits<To>::name() << ", " << count << " elements");
  CHECK((count == 0 || std::memcmp(actual.data(), expected.data(), count * sizeof(To)) == 0));
  CHECK(std::memcmp(&actual.back(), &untouched, sizeof(To)) == 0);
}

}  // namespace

TEST_CASE("arrays convert in parallel as in one thread") {
  Host host(2);
  constexpr std::size_t chunk = ConvertChunk<float, bfloat16>::chunk;
  for (std::size_t count : {std::size_t{0}, std::size_t{1}, chunk - 1, chunk, chunk + 1, 5 * chunk + 17}) {
    check_parallel<float, bfloat16>(host, count);
    check_parallel<float8_e4m3fn, float>(host, count);
  }
  check_parallel<float, float8_e4m3fn>(host, 3 * chunk + 5, Rounding::nearest_even, Overflow::saturate);
  check_parallel<float, float16>(host, 3 * chunk + 5, Rounding::toward_zero);
  check_parallel<float16, float64>(host, 3 * chunk + 5);
  check_parallel<bfloat16, float>(host, detail::streamed_bytes / sizeof(float) + 3);  // stores that pass by the caches
}

TEST_CASE("misuse of a parallel conversion is told") {
  Host host(1);
  Host::Stream stream;
  std::vector<float> values(4);
  CHECK_THROWS_AS(convert(host, stream, values.data(), static_cast<bfloat16*>(nullptr), 4), Misuse);
  CHECK_THROWS_AS(convert(host, stream, values.data(), values.data() + 1, 3), Misuse);
}
