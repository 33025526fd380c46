#include "assay/tensor/fill.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "assay/formats/format_traits.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr Index lanes = 400, length = 257;

Fill pattern_of(FillKind kind, FloatLayout format = FormatTraits<float16>::layout, std::uint64_t seed = 7) {
  return {kind, seed, length, format};
}

/// FNV-1a over the bits that T stores: what a change of compiler, flags or machine must not move.
template <Format T>
std::uint64_t checksum(FillKind kind) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const Index n : {Index{64}, Index{65}})
    for (Index lane = 0; lane < 32; ++lane)
      for (Index position = 0; position < n; ++position) {
        const Fill pattern{kind, 20240229, n, FormatTraits<T>::layout};
        std::uint64_t bits = FormatTraits<T>::to_bits(encode<T>(pattern(lane, position)));
        for (int byte = 0; byte < 8; ++byte, bits >>= 8) hash = (hash ^ (bits & 0xFF)) * 0x100000001B3u;
      }
  return hash;
}

template <class Visit>
void for_each_element(const Fill& pattern, Visit&& visit) {
  for (Index lane = 0; lane < lanes; ++lane)
    for (Index position = 0; position < pattern.length; ++position) visit(lane, position, pattern(lane, position));
}

}  // namespace

TEST_CASE("fills give the same bits whatever compiles them", "[tensor]") {
  struct Golden {
    FillKind kind;
    std::uint64_t f64, f32, f16, bf16;
  };
  const Golden golden[] = {
      {FillKind::uniform, 0xE1A91A8122B188CF, 0x7A42F7051128AE07, 0x827F930C9D42B1E2, 0x3D5BF0D9008894B4},
      {FillKind::normal, 0x2304B90EB4D5A77F, 0x3846637CA0C486E4, 0xDBECB4F60D62E6CD, 0x8B9BA348BBBC0C2C},
      {FillKind::log_uniform, 0x27810C61CB6A4C5E, 0xCEF8FF85BDB253FD, 0x0EC0A784D1CDED7E, 0x5ABD93D0F50C0285},
      {FillKind::exact_integer, 0x4EFF78F39F3B7B25, 0x1634935F08ACEA25, 0xE610663FDAEE0625, 0x58BFA7AAA85F2BA5},
      {FillKind::one_hot, 0xE01843FC2E210285, 0xD601039961434185, 0x10C574D38744C565, 0xD4FEACC7B704EE05},
      {FillKind::constant, 0x13E8FBF8E144E765, 0x2A50D31798D834E5, 0x7F70B8F496CD4F25, 0x53EAC72A81E9AB65},
      {FillKind::canceling, 0x088FA43129C10441, 0xED642364EF88F3A6, 0x0185CF69C35B8885, 0x8B39F3B82AF5196E},
      {FillKind::swamping, 0xA85FBE34806B55CD, 0x459BE0A8A4DD693F, 0xEFA45B6F74B6EECF, 0xC7FF6C62E6F5C55A},
      {FillKind::near_tie, 0xC0E4AB89C77DC7CD, 0x24FF3FF2A7BD991D, 0xAD1F4A9A5F578E19, 0x35F5E637F580BAB5},
      {FillKind::subnormal, 0x1B2431345E8D3E69, 0xF0BFFB2613E9BBAF, 0x6CB193586A84BF6D, 0x31452D6197B1D7C1},
      {FillKind::extreme, 0xF79E39240410F705, 0x3CB99BD420191E65, 0x1270957496DEC205, 0xE1701A09EF161565},
      {FillKind::special, 0x24D6CC194BA906A7, 0x8F724E50C75266B1, 0x96D9595BFD0EAD36, 0xDCFB17C22A030E51},
  };
  CHECK(std::size(golden) == all_fill_kinds.size());
  for (const Golden& expected : golden) {
    INFO(name_of(expected.kind));
    CHECK(checksum<float64>(expected.kind) == expected.f64);
    CHECK(checksum<float32>(expected.kind) == expected.f32);
    CHECK(checksum<float16>(expected.kind) == expected.f16);
    CHECK(checksum<bfloat16>(expected.kind) == expected.bf16);
  }
}

TEST_CASE("the compiler's evaluator and the machine agree on every kind", "[tensor]") {
  constexpr Fill special = Fill{FillKind::special, 3, 31, FormatTraits<float16>::layout};
  constexpr Fill subnormal = Fill{FillKind::subnormal, 3, 31, FormatTraits<float64>::layout};
  constexpr double values[] = {Fill{FillKind::uniform, 3, 31}(5, 6),
                               Fill{FillKind::normal, 3, 31}(5, 6),
                               Fill{FillKind::log_uniform, 3, 31}(5, 6),
                               subnormal(5, 6),
                               special(5, 6),
                               Fill{FillKind::swamping, 3, 31}(5, 6)};
  volatile std::uint64_t seed = 3;
  const FillKind kinds[] = {FillKind::uniform,   FillKind::normal,  FillKind::log_uniform,
                            FillKind::subnormal, FillKind::special, FillKind::swamping};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    const FloatLayout format =
        kinds[i] == FillKind::subnormal ? FormatTraits<float64>::layout : FormatTraits<float16>::layout;
    CHECK(detail::bits_of(Fill{kinds[i], seed, 31, format}(5, 6)) == detail::bits_of(values[i]));
  }
}

TEST_CASE("seed, lane and position all matter to a random fill", "[tensor]") {
  for (FillKind kind : {FillKind::uniform, FillKind::normal, FillKind::log_uniform, FillKind::swamping}) {
    INFO(name_of(kind));
    std::set<double> values;
    for (std::uint64_t seed : {0u, 1u, 2u})
      for (Index lane = 0; lane < 20; ++lane)
        for (Index position = 0; position < 20; ++position)
          values.insert(pattern_of(kind, FormatTraits<float16>::layout, seed)(lane, position));
    CHECK(values.size() > 1100);  // of 1200; a few coincide where values are coarse, and one a lane is 1 in swamping
  }
}

TEST_CASE("uniform, normal and log_uniform keep to their ranges", "[tensor]") {
  for_each_element(pattern_of(FillKind::uniform),
                   [](Index, Index, double value) { REQUIRE((value > 0 && value <= 1)); });
  double sum = 0, squares = 0;
  for_each_element(pattern_of(FillKind::normal), [&](Index, Index, double value) {
    REQUIRE(std::fabs(value) <= 6);
    sum += value;
    squares += value * value;
  });
  constexpr double elements = lanes * length;
  CHECK(std::fabs(sum / elements) < 5 / std::sqrt(elements));
  CHECK(std::fabs(squares / elements - 1) < 5 * std::sqrt(2 / elements));
  for_each_element(pattern_of(FillKind::log_uniform),
                   [](Index, Index, double value) { REQUIRE((std::fabs(value) >= 0x1p-10 && std::fabs(value) < 4)); });
}

TEST_CASE("exact_integer keeps every partial sum representable as far as it says", "[tensor]") {
  const Fill pattern = pattern_of(FillKind::exact_integer);
  for (Index lane = 0; lane < lanes; ++lane) {
    double magnitudes = 0;
    for (Index position = 0; position < length; ++position) {
      const double value = pattern(lane, position);
      REQUIRE((std::fabs(value) == 1 || std::fabs(value) == 2));
      magnitudes += std::fabs(value);
    }
    REQUIRE(round_to<float16>(magnitudes) == magnitudes);  // the largest that any order can meet
  }
  CHECK(pattern.rounding_model() == RoundingModel::exact);
  CHECK(pattern.rounding_model(11) == RoundingModel::exact);       // 2·257 ≤ 2^11
  CHECK(pattern.rounding_model(8) == RoundingModel::statistical);  // bf16 cannot count to 514
  Fill longer = pattern;
  longer.length = (Index{1} << 23) + 1;
  CHECK(longer.rounding_model() == RoundingModel::statistical);
  longer.length = Index{1} << 23;
  CHECK(longer.rounding_model() == RoundingModel::exact);
}

TEST_CASE("one_hot has one power of two a lane, at different places", "[tensor]") {
  const Fill pattern = pattern_of(FillKind::one_hot);
  std::set<Index> places;
  std::set<double> values;
  for (Index lane = 0; lane < lanes; ++lane) {
    int nonzero = 0;
    for (Index position = 0; position < length; ++position) {
      const double value = pattern(lane, position);
      if (value == 0) continue;
      ++nonzero;
      places.insert(position);
      values.insert(value);
    }
    REQUIRE(nonzero == 1);
  }
  CHECK(places.size() > 150);
  CHECK(values == std::set<double>{-2, -1, -0.5, 0.5, 1, 2});
  CHECK(pattern.rounding_model(1) == RoundingModel::exact);
}

TEST_CASE("constant is one value that no binary format holds", "[tensor]") {
  for_each_element(pattern_of(FillKind::constant), [](Index, Index, double value) { REQUIRE(value == 0.1); });
  CHECK(pattern_of(FillKind::constant).rounding_model() == RoundingModel::worst_case);
}

TEST_CASE("canceling has large partial sums and small results", "[tensor]") {
  for (const Index n : {Index{1}, Index{2}, Index{3}, Index{256}, Index{257}}) {
    Fill pattern = pattern_of(FillKind::canceling);
    pattern.length = n;
    double largest_partial = 0, largest_result = 0;
    for (Index lane = 0; lane < lanes; ++lane) {
      double sum = 0;  // exact: the values are multiples of 2^−27 below 2^13
      for (Index position = 0; position < n; ++position) {
        sum += pattern(lane, position);
        largest_partial = std::fmax(largest_partial, std::fabs(sum));
      }
      largest_result = std::fmax(largest_result, std::fabs(sum));
      if (n % 2 == 0) REQUIRE(sum == 0);
    }
    CHECK(largest_result <= 6 * 0x1p-6);
    if (n > 100) CHECK(largest_partial > 20);
  }
}

TEST_CASE("swamping has one 1 a lane among terms too small for f32 or 16 bits to add to it", "[tensor]") {
  const Fill pattern = pattern_of(FillKind::swamping);
  for (Index lane = 0; lane < lanes; ++lane) {
    int ones = 0;
    for (Index position = 0; position < length; ++position) {
      const double value = pattern(lane, position);
      if (value == 1) {
        ++ones;
        continue;
      }
      REQUIRE((value > 0 && value <= (lane % 2 == 0 ? 0x1p-12 : 0x1p-25)));
      REQUIRE(round_to<float16>(1 + value) == 1);
      if (lane % 2 == 1) REQUIRE(round_to<float32>(1 + value) == 1);
    }
    REQUIRE(ones == 1);
  }
  CHECK(pattern.rounding_model() == RoundingModel::worst_case);
}

TEST_CASE("near_tie sums lie at, and a quarter of a unit beside, the midpoint of two numbers", "[tensor]") {
  for (FloatLayout format :
       {FormatTraits<float16>::layout, FormatTraits<bfloat16>::layout, FormatTraits<float32>::layout}) {
    std::map<double, int> fractions;
    for (Index lane = 0; lane < lanes; ++lane) {
      double sum = 0;
      int nonzero = 0;
      for (Index position = 0; position < length; ++position) {
        const double value = Fill{FillKind::near_tie, 7, length, format}(lane, position);
        REQUIRE(decode(format, encode(format, value)) == value);
        sum += value;
        nonzero += value != 0 ? 1 : 0;
      }
      REQUIRE(nonzero == 2);
      REQUIRE(std::ilogb(sum) == format.fraction_bits);  // where a unit in the last place is 1
      ++fractions[sum - std::floor(sum)];
    }
    CHECK(fractions.size() == 3);
    for (double fraction : {0.25, 0.5, 0.75}) CHECK(fractions[fraction] > 80);
  }
  const Fill alone{FillKind::near_tie, 7, 1, FormatTraits<float16>::layout};
  CHECK(alone(0, 0) >= 1024);
}

TEST_CASE("subnormal gives subnormal numbers of its format and nothing else", "[tensor]") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    int negative = 0;
    for_each_element(pattern_of(FillKind::subnormal, FormatTraits<T>::layout), [&](Index, Index, double value) {
      const T stored = encode<T>(value);
      REQUIRE(is_subnormal(stored));
      REQUIRE(decode(stored) == value);
      negative += value < 0 ? 1 : 0;
    });
    CHECK(std::abs(negative - static_cast<int>(lanes * length) / 2) < 5 * std::sqrt(lanes * length / 4.0));
  };
  check(float16{});
  check(bfloat16{});
  check(float32{});
  check(float64{});
}

TEST_CASE("extreme has one largest, half largest, smallest normal or smallest subnormal value a lane", "[tensor]") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    std::set<double> magnitudes;
    const Fill pattern = pattern_of(FillKind::extreme, FormatTraits<T>::layout);
    for (Index lane = 0; lane < lanes; ++lane) {
      int nonzero = 0;
      for (Index position = 0; position < length; ++position) {
        const double value = pattern(lane, position);
        if (value == 0) continue;
        ++nonzero;
        magnitudes.insert(std::fabs(value));
      }
      REQUIRE(nonzero == 1);
    }
    CHECK(magnitudes == std::set<double>{max_finite<T>(), max_finite<T>() / 2, min_normal<T>(), min_subnormal<T>()});
  };
  check(float16{});
  check(bfloat16{});
  check(float32{});
  check(float64{});
}

TEST_CASE("special sprinkles NaN, infinities and zeros of both signs, at most one a lane", "[tensor]") {
  const Fill pattern = pattern_of(FillKind::special);
  int nan = 0, infinities[2] = {}, zeros[2] = {}, lanes_touched = 0;
  for (Index lane = 0; lane < lanes; ++lane) {
    int special = 0;
    for (Index position = 0; position < length; ++position) {
      const double value = pattern(lane, position);
      if (is_nan(value)) ++nan, ++special;
      if (is_infinite(value)) ++infinities[std::signbit(value)], ++special;
      if (value == 0) ++zeros[std::signbit(value)];
    }
    REQUIRE(special <= 1);
    lanes_touched += special;
  }
  CHECK(nan > 10);
  for (int sign : {0, 1}) {
    CHECK(infinities[sign] > 3);
    CHECK(zeros[sign] > 3);
  }
  CHECK(lanes_touched < lanes / 3);
}

TEST_CASE("every kind declares a rounding model, and a lane without elements is harmless", "[tensor]") {
  const std::map<FillKind, RoundingModel> declared{
      {FillKind::uniform, RoundingModel::statistical},     {FillKind::normal, RoundingModel::statistical},
      {FillKind::log_uniform, RoundingModel::statistical}, {FillKind::exact_integer, RoundingModel::exact},
      {FillKind::one_hot, RoundingModel::exact},           {FillKind::constant, RoundingModel::worst_case},
      {FillKind::canceling, RoundingModel::statistical},   {FillKind::swamping, RoundingModel::worst_case},
      {FillKind::near_tie, RoundingModel::worst_case},     {FillKind::subnormal, RoundingModel::statistical},
      {FillKind::extreme, RoundingModel::worst_case},      {FillKind::special, RoundingModel::statistical}};
  for (FillKind kind : all_fill_kinds) {
    INFO(name_of(kind));
    CHECK(pattern_of(kind).rounding_model() == declared.at(kind));
    Fill empty = pattern_of(kind);
    empty.length = 0;
    CHECK(empty.chosen_position(0, 2) == 0);
  }
}
