#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "assay/formats/small_formats.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "kernels/block_host.hpp"

using namespace assay;

namespace {

constexpr double infinity = INFINITY;

/// Rows in memory as callers have them: strides with gaps, starts that suit no vector.
struct Stored {
  std::vector<unsigned char> bytes;
  Operand operand;

  Stored(const ElementFormat& format, std::vector<Index> extents, std::vector<Index> strides, std::size_t misaligned,
         const std::vector<double>& values) {
    operand.format = format;
    operand.rank = static_cast<int>(extents.size());
    Index reach = 1;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      operand.extents[d] = extents[d];
      operand.strides[d] = strides[d];
      reach += (extents[d] > 0 ? extents[d] - 1 : 0) * strides[d];
    }
    bytes.assign(static_cast<std::size_t>(reach * format.bytes) + 64, 0xFF);
    unsigned char* start = bytes.data();
    while (reinterpret_cast<std::uintptr_t>(start) % 32 != 0) ++start;
    operand.data = start + misaligned;
    for (Index e = 0; e < operand.size(); ++e) operand.store(e, values[static_cast<std::size_t>(e)]);
  }
  Stored(const Stored&) = delete;
};

[[nodiscard]] std::vector<double> waves(Index count, double scale, double seed = 0) {
  std::vector<double> values;
  for (Index i = 0; i < count; ++i)
    values.push_back(scale * std::sin(0.7 * static_cast<double>(i) * static_cast<double>(i % 1009) + seed));
  return values;
}

/// |a − b| within so much of b; what is not finite must be the same.
[[nodiscard]] bool near(double a, double b, double relative, double absolute = 0) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= relative * std::fabs(b) + absolute;
}

/// Blocks' references of all elements beside the host's: within the allowance that the bound has for the reference
/// itself, errors within 1e-9 of each other.
template <class Op, class Expected>
void require_same(const typename Op::Problem& problem, const OperandArray& operands, Index rows, Index columns,
                  double own_error, const Expected& also) {
  Host host(1);
  auto stream = host.make_stream();
  const auto there = Op::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
  REQUIRE(there);
  for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending}) {
    testing::BlockHost blocks(order);
    const auto here =
        Op::reference(blocks, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(here);
    std::size_t wrong = 0;
    std::string first;
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < columns; ++column) {
        const ExpectedElement a = here.value().expected(row, column), b = there.value().expected(row, column);
        // what differs only by the reference's own rounding is a millionth of what is allowed
        const bool same =
            near(a.value, b.value, own_error, 1e-6 * b.error + 1e-300) && near(a.error, b.error, 1e-8, 1e-300);
        if (!same && wrong++ == 0)
          first = std::to_string(row) + ", " + std::to_string(column) + ": " + std::to_string(a.value) + " +- " +
                  std::to_string(a.error) + " instead of " + std::to_string(b.value) + " +- " + std::to_string(b.error);
      }
    INFO(Op::name_of(problem) << " " << Op::formats_of(problem) << ", first at " << first);
    CHECK(wrong == 0);
    also(here.value().expected, there.value().expected);
  }
}

void require_softmax(SoftmaxProblem problem, const std::vector<double>& x, Index padding = 0,
                     std::size_t misaligned = 0, const std::vector<double>& visible = {}) {
  const bool flat = problem.inner == 1;
  const std::vector<Index> extents = flat ? std::vector<Index>{problem.outer, problem.length}
                                          : std::vector<Index>{problem.outer, problem.length, problem.inner};
  const Index inner = problem.inner + (flat ? 0 : padding),
              row = flat ? problem.length + padding : problem.length * inner + padding;
  const std::vector<Index> strides = flat ? std::vector<Index>{row, 1} : std::vector<Index>{row, inner, 1};
  const Stored input(problem.input, extents, strides, misaligned * static_cast<std::size_t>(problem.input.bytes), x);
  const Stored mask(element_format<std::uint8_t>(), extents, strides, 1,
                    visible.empty() ? std::vector<double>(x.size(), 1) : visible);
  OperandArray operands;
  operands[Softmax::input] = input.operand;
  problem.masked = !visible.empty();
  if (problem.masked) operands[Softmax::mask] = mask.operand;
  // the sums of both are off by no more than n·2⁻⁵³ and the exponential's 2⁻⁵⁰, which is what SoftmaxBound allows them
  const double own = static_cast<double>(problem.length) * 0x1p-53 + 0x1p-49;
  require_same<Softmax>(
      problem, operands, flat ? problem.outer : problem.outer * problem.length, flat ? problem.length : problem.inner,
      own, [&](const SoftmaxExpected& here, const SoftmaxExpected& there) {
        std::size_t wrong = 0;
        for (Index r = 0; r < problem.outer * problem.inner; ++r) {
          const SoftmaxRow &a = here.rows[r], &b = there.rows[r];
          wrong += problem.length == 0 ||
                           (near(a.maximum, b.maximum, 0) && near(a.sum, b.sum, own) && near(a.range, b.range, 0))
                       ? 0
                       : 1;
        }
        CHECK(wrong == 0);
      });
}

[[nodiscard]] SoftmaxProblem softmax_of(const ElementFormat& format, Index outer, Index length, Index inner = 1) {
  SoftmaxProblem problem;
  problem.outer = outer;
  problem.length = length;
  problem.inner = inner;
  problem.input = problem.output = format;
  return problem;
}

void require_normalization(const NormalizationProblem& problem, const std::vector<double>& x, Index padding = 0,
                           std::size_t misaligned = 0) {
  const bool flat = problem.inner == 1;
  const std::vector<Index> extents = flat ? std::vector<Index>{problem.outer, problem.channels}
                                          : std::vector<Index>{problem.outer, problem.channels, problem.inner};
  const Index inner = problem.inner + (flat ? 0 : padding),
              row = flat ? problem.channels + padding : problem.channels * inner;
  const std::vector<Index> strides = flat ? std::vector<Index>{row, 1} : std::vector<Index>{row, inner, 1};
  const Stored input(problem.input, extents, strides, misaligned * static_cast<std::size_t>(problem.input.bytes), x);
  const Stored gamma(problem.parameters, {problem.channels}, {1}, 0, waves(problem.channels, 1, 1)),
      beta(problem.parameters, {problem.channels}, {1}, 0, waves(problem.channels, 1, 2));
  std::vector<double> squares = waves(problem.channels, 1, 4);
  for (double& v : squares) v = v * v + 0.1;
  const Stored mean(problem.parameters, {problem.channels}, {1}, 0, waves(problem.channels, 1, 3)),
      variance(problem.parameters, {problem.channels}, {1}, 0, squares);
  OperandArray operands;
  operands[Normalization::input] = input.operand;
  if (problem.gamma) operands[Normalization::gamma] = gamma.operand;
  if (problem.beta) operands[Normalization::beta] = beta.operand;
  if (problem.kind == NormalizationKind::batch) {
    operands[Normalization::mean] = mean.operand;
    operands[Normalization::variance] = variance.operand;
  }
  const double own = static_cast<double>(problem.lane_length()) * 0x1p-53 + 0x1p-50;
  require_same<Normalization>(
      problem, operands, flat ? problem.outer : problem.outer * problem.channels,
      flat ? problem.channels : problem.inner, own,
      [&](const NormalizationExpected& here, const NormalizationExpected& there) {
        std::size_t wrong = 0;
        for (Index lane = 0; lane < problem.lanes(); ++lane) {
          const NormalizationRow &a = here.rows[lane], &b = there.rows[lane];
          // a mean is off by n·2⁻⁵³ of the root mean square: see NormalizationBound
          const double size = std::isfinite(b.variance) ? std::sqrt(b.variance + b.mean * b.mean) : 0;
          wrong += near(a.mean, b.mean, 0, own * size) && near(a.variance, b.variance, own, 4 * own * own * size * size)
                       ? 0
                       : 1;
        }
        CHECK(wrong == 0);
      });
}

[[nodiscard]] NormalizationProblem layer_of(const ElementFormat& format, Index outer, Index channels,
                                            NormalizationKind kind = NormalizationKind::layer) {
  NormalizationProblem problem;
  problem.kind = kind;
  problem.outer = outer;
  problem.channels = channels;
  problem.input = problem.output = format;
  return problem;
}

const std::vector<ElementFormat>& formats() {
  static const std::vector<ElementFormat> list{element_format<float32>(), element_format<bfloat16>(),
                                               element_format<float16>(), element_format<float8_e4m3fn>(),
                                               element_format<float64>()};
  return list;
}

}  // namespace

TEST_CASE("a device's softmax finds the rows that the host finds, whatever their length, format and place") {
  for (const ElementFormat& format : formats())
    for (const Index length :
         {Index{0}, Index{1}, Index{2}, Index{15}, Index{17}, Index{127}, Index{1021}, Index{4096}, Index{4099}}) {
      const Index outer = length > 1000 ? 2 : 5;
      require_softmax(softmax_of(format, outer, length), waves(outer * length, 6));
      require_softmax(softmax_of(format, outer, length), waves(outer * length, 6, 1), 3, 1);
    }
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>()})
    require_softmax(softmax_of(format, 1, 100003), waves(100003, 9), 0, 3);
}

TEST_CASE("a device's softmax has temperatures, logarithms, masks and other dimensions") {
  for (const double temperature : {1.0, 0.7})
    for (const bool logarithm : {false, true})
      for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>()}) {
        SoftmaxProblem problem = softmax_of(format, 3, 512);
        problem.temperature = temperature;
        problem.logarithm = logarithm;
        require_softmax(problem, waves(1536, 9));
        std::vector<double> visible = waves(1536, 1, 5);
        for (std::size_t i = 0; i < visible.size(); ++i)
          visible[i] = visible[i] > 0.3 && i >= 512 ? 1 : 0;  // nothing of the first row
        for (const FullyMasked policy : {FullyMasked::nan, FullyMasked::zeros}) {
          problem.fully_masked = policy;
          require_softmax(problem, waves(1536, 9), 2, 0, visible);
        }
        for (const Index inner : {Index{2}, Index{5}, Index{31}, Index{33}, Index{64}}) {
          problem = softmax_of(format, 2, 77, inner);
          problem.temperature = temperature;
          problem.logarithm = logarithm;
          require_softmax(problem, waves(2 * 77 * inner, 9));
          require_softmax(problem, waves(2 * 77 * inner, 9, 2), 3, 1,
                          std::vector<double>(static_cast<std::size_t>(2 * 77 * inner), 1));
        }
      }
}

TEST_CASE("NaN and infinities make a device's rows what they make of the host's") {
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>(), element_format<float16>()})
    for (const Index length : {Index{9}, Index{300}, Index{5000}}) {
      const auto at = [&](Index row, Index i) { return static_cast<std::size_t>(row * length + i); };
      std::vector<double> x = waves(7 * length, 5);
      x[at(0, 3)] = NAN;
      x[at(1, length - 1)] = infinity;
      x[at(2, 0)] = -infinity;
      for (Index i = 0; i < length; ++i) x[at(3, i)] = -infinity;
      x[at(4, 1)] = infinity;
      x[at(4, 5)] = NAN;
      x[at(5, 2)] = format.max_finite();  // all else is nothing beside it
      x[at(6, 4)] = -format.max_finite();
      for (const bool logarithm : {false, true}) {
        SoftmaxProblem problem = softmax_of(format, 7, length);
        problem.logarithm = logarithm;
        require_softmax(problem, x);
        require_softmax(problem, x, 0, 0, std::vector<double>(x.size(), 1));
      }
      for (const NormalizationKind kind : {NormalizationKind::layer, NormalizationKind::rms})
        require_normalization(layer_of(format, 7, length, kind), x);
    }
}

TEST_CASE("a softmax to 300 binary orders below 1 is exact for accumulators that hold them") {
  SoftmaxProblem problem = softmax_of(element_format<float64>(), 1, 40);
  std::vector<double> x(40);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = -18.5 * static_cast<double>(i);
  const Stored input(problem.input, {1, 40}, {40, 1}, 0, x);
  OperandArray operands;
  operands[Softmax::input] = input.operand;
  const Arithmetic arithmetic = arithmetic_in<float64>();
  testing::BlockHost blocks(ThreadOrder::ascending);
  auto stream = blocks.make_stream();
  const auto reference =
      Softmax::reference(blocks, stream.value(), problem, operands, RoundingModel::statistical, arithmetic);
  REQUIRE(reference);
  const double last = reference.value().expected(0, 39).value;
  CHECK(last == Approx(std::exp(x[39]) * (1 - std::exp(-18.5))).epsilon(1e-12));
  CHECK(last > 0);
}

TEST_CASE("a device finds the means and variances that the host finds, whatever their length, format and place") {
  for (const ElementFormat& format : formats())
    for (const Index channels :
         {Index{1}, Index{2}, Index{15}, Index{17}, Index{127}, Index{1021}, Index{4096}, Index{4099}})
      for (const NormalizationKind kind : {NormalizationKind::layer, NormalizationKind::rms}) {
        require_normalization(layer_of(format, 3, channels, kind), waves(3 * channels, 2));
        require_normalization(layer_of(format, 3, channels, kind), waves(3 * channels, 2, 1), 5, 1);
      }
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>()})
    require_normalization(layer_of(format, 1, 100003), waves(100003, 2), 0, 3);
  require_normalization(layer_of(element_format<float32>(), 2, 0), {});
  require_normalization(layer_of(element_format<float32>(), 0, 100), {});
}

TEST_CASE("a device's groups and batches have the host's statistics, with gaps between channels and without") {
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>()})
    for (const Index padding : {Index{0}, Index{3}})
      for (const Index inner : {Index{2}, Index{49}, Index{700}}) {
        NormalizationProblem problem = layer_of(format, 2, 12, NormalizationKind::group);
        problem.inner = inner;
        for (const Index groups : {Index{1}, Index{4}, Index{12}}) {
          problem.groups = groups;
          require_normalization(problem, waves(2 * 12 * inner, 2), padding);
        }
        problem.kind = NormalizationKind::batch;
        problem.groups = 1;
        require_normalization(problem, waves(2 * 12 * inner, 2), padding);
      }
  NormalizationProblem flat = layer_of(element_format<float32>(), 3, 120, NormalizationKind::group);
  flat.groups = 4;
  require_normalization(flat, waves(360, 2));
}
