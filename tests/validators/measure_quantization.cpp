#include "assay/validators/measure_quantization.hpp"

#include <cmath>

#include "assay/kernels/quantize/quantized_matrix.hpp"
#include "assay/tensor/random_values.hpp"
#include "testing/catch.hpp"

using namespace assay;
using testing::Approx;
using testing::contains;

namespace {

ReadValues reader(const std::vector<double>& values, Index* largest = nullptr) {
  return [&values, largest](Index first, Index count, double* out) -> Result<void> {
    REQUIRE(first >= 0);
    REQUIRE(first + count <= static_cast<Index>(values.size()));
    if (largest != nullptr) *largest = std::max(*largest, count);
    std::copy(values.begin() + first, values.begin() + first + count, out);
    return {};
  };
}

TensorQuality measured(const std::vector<std::string>& names, Index rows, const std::vector<double>& values,
                       unsigned threads = 1) {
  ThreadPool pool(threads);
  const auto quality = measure_quantization(quantization_schemes_named(names).value(), rows,
                                            static_cast<Index>(values.size()) / rows, reader(values), pool);
  REQUIRE(quality);
  return quality.value();
}

SchemeQuality only(const std::string& name, Index rows, const std::vector<double>& values) {
  return measured({name}, rows, values).schemes.at(0);
}

std::vector<double> normal_values(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(standard_normal(random_bits(7, 0, i)));
  return values;
}

/// Every block quantized by the definition, with nothing cut into parts.
QuantizationQuality by_definition(const BlockScaling& scheme, Index rows, Index columns,
                                  const std::vector<double>& values) {
  QuantizationQuality quality;
  BlockExtremes whole;
  for (const double value : values) whole.add(value);
  const double tensor = scheme.tensor_scale == TensorScale::computed
                            ? static_cast<double>(encode<float32>(ideal_tensor_scale(scheme, whole.amax)))
                            : 1;
  const Index height = scheme.rows_of_block(rows), width = scheme.columns_of_block(columns);
  for (Index top = 0; top < rows; top += height)
    for (Index left = 0; left < columns; left += width) {
      BlockExtremes extremes;
      const auto each = [&](const auto& work) {
        for (Index row = top; row < std::min(rows, top + height); ++row)
          for (Index column = left; column < std::min(columns, left + width); ++column)
            work(values[static_cast<std::size_t>(row * columns + column)]);
      };
      each([&](double value) { extremes.add(value); });
      const double own = scheme.scale.decode(scale_code(scheme, extremes, tensor));
      const int zero = zero_point(scheme, extremes.smallest, own);
      each([&](double value) {
        quality.add(value, element_value(scheme, element_code(scheme, value, own * tensor, zero), own * tensor, zero));
      });
    }
  return quality;
}

}  // namespace

TEST_CASE("plain formats round and saturate") {
  const SchemeQuality quality = only(
      "e4m3fn", 1, {448, 464, 500, 1.0625, -465});  // 464 is the tie with the next value that an unbounded e4m3 had
  CHECK(quality.tensor.count == 5);
  CHECK(quality.tensor.clipped == 2);
  CHECK(quality.tensor.max_error == 52);
  CHECK(quality.tensor.error_sum == 16 + 52 + 0.0625 + 17);
  CHECK(quality.bits_per_value == 8);
  CHECK(only("bf16", 1, {1.0, 0.5, -2}).tensor.sqnr() == std::numeric_limits<double>::infinity());
  CHECK(only("f16", 1, {65504, 65519}).tensor.clipped == 0);
  CHECK(only("f16", 1, {65504, 65521}).tensor.clipped == 1);
}

TEST_CASE("integers by channel are those computed by hand, and the worst channel is found") {
  // scale 1, then 2: results 127, 1, 0 and 254, 2, -100 (ties go to even: 1.5 is 2, −50.5 is −50)
  const SchemeQuality quality = only("int8_channel", 2, {127, 1, -0.4, 254, 3, -101});
  CHECK(quality.tensor.noise == Approx(0.16 + 1 + 1));
  CHECK(quality.tensor.max_error == 1);
  CHECK(quality.worst_channel == 1 - (127 * 127 / 0.16 < 254 * 254 / 2.0 ? 1 : 0));
  CHECK(quality.worst.count == 3);
  CHECK(quality.tensor.clipped == 0);
  // −1 to 3 over 255 codes: scale 4/255, zero point −128 + 63.75 → −64; 3 is 255/4·3 = 191.25 → 191, code 127
  const SchemeQuality asymmetric = only("int8_channel_asymmetric", 1, {-1, 3, 0});
  const double scale = static_cast<float>(4.0 / 255);
  CHECK(asymmetric.tensor.noise == Approx(std::pow(-64 * scale + 1, 2) + std::pow(191 * scale - 3, 2)));
  CHECK(asymmetric.tensor.clipped == 0);
}

TEST_CASE("microscaling clips what the floor of the exponent leaves outside") {
  std::vector<double> values(32, 0.0);
  values[0] = 7.5, values[1] = 2.4, values[2] = 5, values[3] = -0.2;  // scale 1: 6 (clipped), 2, 4 (tie), −0
  const SchemeQuality quality = only("mxfp4", 1, values);
  CHECK(quality.tensor.clipped == 1);
  CHECK(quality.tensor.noise == Approx(2.25 + 0.16 + 1 + 0.04));
  CHECK(quality.bits_per_value == 4.25);
}

TEST_CASE("nf4 takes the nearest entry of its table times the largest magnitude") {
  std::vector<double> values(128, 0.0);
  values[0] = -2, values[1] = 1.6, values[64] = 0.5,
  values[65] = -0.2;  // scale 2: −1 and 0.7229568…; scale 0.5: 1 and −0.3949… (−0.4)
  const SchemeQuality quality = only("nf4_64", 1, values);
  CHECK(quality.tensor.noise ==
        Approx(std::pow(1.6 - 2 * 0.7229568362236023, 2) + std::pow(0.5 * 0.39491748809814453 - 0.2, 2)));
  CHECK(quality.tensor.clipped == 0);
}

TEST_CASE("a NaN costs its own block only, and is told") {
  std::vector<double> values(128, 1.0);
  values[40] = std::numeric_limits<double>::quiet_NaN();
  values[100] = std::numeric_limits<double>::infinity();
  const TensorQuality quality = measured({"mxfp8_e4m3", "int8_channel", "bf16"}, 1, values);
  CHECK(quality.values.not_finite == 2);
  for (const SchemeQuality& scheme : quality.schemes) CHECK(scheme.tensor.not_finite == 2);
  CHECK(quality.schemes[0].tensor.count == 126);  // bf16
  CHECK(quality.schemes[1].tensor.lost == 62);    // two blocks of 32
  CHECK(quality.schemes[1].tensor.count == 64);
  CHECK(quality.schemes[2].tensor.count == 126);
  CHECK(quality.schemes[2].tensor.noise == Approx(0).margin(1e-12));
  const SchemeQuality lost = only("mxfp4", 2, {std::numeric_limits<double>::quiet_NaN(), 1, 2, 3});
  CHECK(lost.worst_channel == 1);
}

TEST_CASE("zeros, empty matrices and values that float32 lacks") {
  for (const QuantizationScheme& scheme : all_quantization_schemes()) {
    INFO(scheme.name);
    const SchemeQuality zeros = only(scheme.name, 2, std::vector<double>(300, 0.0));
    CHECK(zeros.tensor.noise == 0);
    CHECK(zeros.tensor.clipped == 0);
    CHECK(zeros.tensor.lost == 0);
  }
  ThreadPool pool(1);
  const std::vector<double> none;
  const auto empty = measure_quantization(all_quantization_schemes(), 0, 5, reader(none), pool);
  REQUIRE(empty);
  CHECK(empty.value().schemes.size() == all_quantization_schemes().size());
  CHECK(empty.value().schemes[0].worst_channel == -1);
  const SchemeQuality wide = only("bf16", 1, {1e300, 1 + 0x1p-40, 1});
  CHECK(wide.tensor.not_finite == 1);
  CHECK(wide.tensor.max_error == 0x1p-40);
}

TEST_CASE("matrices are cut into parts without cutting a block, whatever their shape") {
  const std::vector<double> values = normal_values(600'000);
  for (const Index rows : {1, 3, 1000, 600'000}) {
    const Index columns = 600'000 / rows;
    Index largest = 0;
    ThreadPool one(1), three(3);
    const auto schemes = all_quantization_schemes();
    const auto quality = measure_quantization(schemes, rows, columns, reader(values, &largest), one);
    const auto again = measure_quantization(schemes, rows, columns, reader(values), three);
    REQUIRE(quality);
    REQUIRE(again);
    CHECK(largest <= 1 << 18);
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      INFO(rows << " rows, " << schemes[i].name);
      const SchemeQuality& scheme = quality.value().schemes[i];
      CHECK(scheme.tensor.count == 600'000);
      CHECK(scheme.tensor.noise == again.value().schemes[i].tensor.noise);
      CHECK(scheme.worst_channel == again.value().schemes[i].worst_channel);
      if (!schemes[i].scaled || (rows != 3 && rows != 1000)) continue;
      const QuantizationQuality expected = by_definition(schemes[i].scaling, rows, columns, values);
      CHECK(scheme.tensor.noise == Approx(expected.noise).epsilon(1e-9));
      CHECK(scheme.tensor.max_error == expected.max_error);
    }
  }
}

TEST_CASE("what is measured is what the operation quantize makes") {
  const Index rows = 5, columns = 200;  // blocks at the ends of rows are ragged
  std::vector<double> values = normal_values(static_cast<std::size_t>(rows * columns));
  values[7] = 30, values[450] = 1e-30, values[999] = -4;
  const std::vector<float> given(values.begin(), values.end());
  for (const QuantizationScheme& scheme : all_quantization_schemes()) {
    if (!scheme.scaled) continue;
    INFO(scheme.name);
    QuantizeProblem problem;
    problem.rows = rows;
    problem.columns = columns;
    problem.scheme = scheme.scaling;
    const auto quantized = quantize(problem, given);
    REQUIRE(quantized);
    const auto results = dequantize(problem, quantized.value());
    REQUIRE(results);
    QuantizationQuality expected;
    for (std::size_t i = 0; i < values.size(); ++i) expected.add(values[i], results.value()[i]);
    const SchemeQuality quality = only(scheme.name, rows, values);
    CHECK(quality.tensor.noise == Approx(expected.noise).epsilon(1e-12));
    CHECK(quality.tensor.max_error == expected.max_error);
    CHECK(quality.tensor.product == Approx(expected.product).epsilon(1e-12));
  }
}

TEST_CASE("normal values lose what theory says") {
  const std::vector<double> values = normal_values(1 << 18);
  const TensorQuality quality =
      measured({"bf16", "int8_channel", "mxfp8_e4m3", "mxfp4", "nvfp4", "int4_group128"}, 64, values);
  const auto schemes =
      quantization_schemes_named({"bf16", "int8_channel", "mxfp8_e4m3", "mxfp4", "nvfp4", "int4_group128"}).value();
  const auto ratio = [&](const std::string& name) {
    for (std::size_t i = 0; i < schemes.size(); ++i)
      if (schemes[i].name == name) return quality.schemes[i].tensor.sqnr();
    return std::numeric_limits<double>::quiet_NaN();
  };
  // A step of 2^−7 of the binade's start, uniform errors: Σx² / Σ(2^⌊log2 x⌋·2^−7)²/12, 2.2 to 2.4 on average over a
  // binade
  CHECK(ratio("bf16") == Approx(10 * std::log10(12 * std::pow(2.0, 14) * 2.3)).margin(1.0));
  // int8: step 2·amax/254 with amax near 4.5 of a row of 4096 values: variance step²/12
  double noise = 0;
  for (Index row = 0; row < 64; ++row) {
    double amax = 0;
    for (Index column = 0; column < 4096; ++column)
      amax = std::max(amax, std::fabs(values[static_cast<std::size_t>(row * 4096 + column)]));
    noise += amax * amax / (127.0 * 127.0 * 12) / 64;
  }
  CHECK(ratio("int8_channel") == Approx(10 * std::log10(1 / noise)).margin(0.3));
  CHECK(ratio("nvfp4") > ratio("mxfp4"));
  CHECK(ratio("mxfp8_e4m3") > ratio("nvfp4") + 8);
}

TEST_CASE("failures of the reader and schemes that cannot be measured are told") {
  ThreadPool pool(1);
  const auto broken = [](Index, Index, double*) -> Result<void> { return failure(ErrorKind::io, "the disk is gone"); };
  const auto unread = measure_quantization(all_quantization_schemes(), 4, 4, broken, pool);
  REQUIRE_FALSE(unread);
  CHECK(unread.error().message == "the disk is gone");
  const std::vector<double> values(16);
  QuantizationScheme given{"given", int8_channel()};
  given.scaling.rule = ScaleRule::given;
  const auto refused = measure_quantization({given}, 4, 4, reader(values), pool);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, contains("given has given scales"));
  const QuantizationScheme columns{"columns", fp8_blocks("columns", 0, 16)};
  CHECK_THAT(measure_quantization({columns}, 4, 4, reader(values), pool).error().message, contains("transpose"));
  const QuantizationScheme odd{"odd", fp8_blocks("odd", 65537, 1)};
  CHECK_FALSE(measure_quantization({odd}, 4, 4, reader(values), pool));
  CHECK_THROWS_AS(measure_quantization({}, -1, 4, reader(values), pool), Misuse);
}
