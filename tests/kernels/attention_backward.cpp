#include "assay/kernels/attention_backward/attention_backward.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "assay/faults/attention_backward_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right gradients of an attention are not accused") {
  testing::require_correct_kernels_pass<AttentionBackward>(0.2, 120);
}

TEST_CASE("every fault of gradients of an attention is caught by their default suite") {
  testing::require_faults_are_caught<AttentionBackward>({"flushed_input"});
}

TEST_CASE("gradients of an attention are those of its reference by central differences") {
  Host host(1);
  auto stream = host.make_stream();
  const ElementFormat f64 = element_format<float64>();
  const auto check_gradients = [&](const std::function<void(AttentionProblem&)>& change) {
    AttentionProblem problem;
    problem.batch = 2;
    problem.heads = 4;
    problem.key_heads = 2;
    problem.queries = 5;
    problem.keys = 6;
    problem.depth = 3;
    problem.value_depth = 4;
    problem.query = problem.key_value = problem.output = problem.weights = problem.scores = f64;
    change(problem);
    const OperationData data = AttentionBackward::data(problem, FillKind::normal, Arithmetic{}, 3);
    auto memory = detail::OperationMemory<Host>::create(host, stream.value(),
                                                        AttentionBackward::operands(problem).value(), data, {});
    REQUIRE(memory);
    const OperandArray operands = memory.value().operands_before().value();
    const Operand& gradient = operands[AttentionBackwardOperand::output_gradient];
    const auto objective = [&] {
      const auto forward = attention_reference(host, stream.value(), problem, attention_operands_of(operands),
                                               RoundingModel::statistical, Arithmetic{});
      double sum = 0;
      for (Index e = 0; e < gradient.size(); ++e) sum += gradient.load(e) * forward.value().expected.results.value[e];
      return sum;
    };
    const auto reference =
        AttentionBackward::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    auto expected = reference.value().expected;
    for (int input = 0; input < 3; ++input) {
      expected.output = input;
      const Operand& varied = operands[input];
      const Index columns = varied.extents[varied.rank - 1];
      for (Index e = 0; e < varied.size(); e += 5) {
        const double kept = varied.load(e), step = 1e-5;
        varied.store(e, kept + step);
        const double above = objective();
        varied.store(e, kept - step);
        const double below = objective();
        varied.store(e, kept);
        const ExpectedElement element = expected(e / columns, e % columns);
        INFO("input " << input << ", element " << e);
        CHECK(std::fabs(element.value - (above - below) / (2 * step)) < 1e-7 * (1 + std::fabs(element.value)));
        CHECK(element.error < 1e-3);
      }
    }
  };
  SECTION("plain") {
    check_gradients([](AttentionProblem&) {});
  }
  SECTION("causal, windowed, with ALiBi") {
    check_gradients([](AttentionProblem& problem) {
      problem.causal = problem.alibi = true;
      problem.window_left = 2;
    });
  }
  SECTION("capped and masked") {
    check_gradients([](AttentionProblem& problem) {
      problem.soft_cap = 1.5;
      problem.additive_mask = AdditiveMask::per_head;
    });
  }
  SECTION("packed, rows that see nothing") {
    check_gradients([](AttentionProblem& problem) {
      problem.storage = AttentionStorage::packed;
      problem.query_lengths = {5, 3};
      problem.key_lengths = {2, 4};
      problem.causal = true;
    });
  }
}

TEST_CASE("problems of gradients of an attention that cannot be are refused") {
  AttentionProblem problem;
  problem.heads = 4;
  problem.key_heads = 2;
  problem.keys = 8;
  REQUIRE(AttentionBackward::operands(problem));
  SECTION("heads") {
    problem.key_heads = 3;
    testing::require_refused<AttentionBackward>(problem, "key_heads");
  }
  SECTION("paged") {
    problem.key_lengths = {8};
    deal_pages(problem, 4);
    testing::require_refused<AttentionBackward>(problem, "storage");
  }
  SECTION("quantized") {
    problem.key_value_scale = KeyValueScale::per_head;
    testing::require_refused<AttentionBackward>(problem, "key_value_scale");
  }
}

TEST_CASE("gradients without values, and gradients that are subnormal, are not accused") {
  AttentionProblem problem;
  problem.queries = problem.keys = 64;
  problem.depth = problem.value_depth = 8;
  OperationData data = AttentionBackward::data(problem, FillKind::exact_integer, Arithmetic{}, 1);
  SECTION("subnormal") {
    data.operands[AttentionBackwardOperand::output_gradient] =
        OperandFill::of(std::vector<double>(64 * 8, 0x1p-149 * 100));
  }
  SECTION("none") {
    problem.value_depth = 0;
    data = AttentionBackward::data(problem, FillKind::normal, Arithmetic{}, 1);
  }
  Host host(1);
  CHECK(check_operation<AttentionBackward>(host, portable_operation_subject<AttentionBackward>(Host(1)), problem, data,
                                           {}, {})
            .verdict == Verdict::pass);
}

TEST_CASE("gradients that come from a stored output whose elements are subnormal are not accused") {
  AttentionProblem problem;
  problem.queries = 4;
  problem.keys = problem.depth = problem.value_depth = 8;
  problem.output = element_format<float16>();
  OperationData data = AttentionBackward::data(problem, FillKind::normal, Arithmetic{}, 1);
  std::vector<double> values(64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1e-6 * std::sin(static_cast<double>(i));
  data.operands[AttentionBackwardOperand::value] = OperandFill::of(values);
  const auto verdict_of = [&](const char* fault) {
    using Kernel = detail::EmulatedAttentionBackward<float32>;
    Host host(1);
    return check_operation<AttentionBackward>(
               host, host_subject<AttentionBackward>("from_output", Kernel{Kernel::Order::from_output, fault}), problem,
               data, {}, {})
        .verdict;
  };
  CHECK(verdict_of("") == Verdict::pass);
  CHECK(verdict_of("scale_forgotten") == Verdict::fail);
}

namespace {

/// Of one query and some keys, all of depth 1 and with a scale of 1, by the library's own kernel; `spoilt`: after which
/// an element of the value's gradient is changed.
Verdict verdict_of_row(AttentionProblem problem, const std::vector<double>& keys, const std::vector<double>& values,
                       double gradient, const std::vector<double>& mask = {}, bool spoilt = false) {
  problem.keys = static_cast<Index>(keys.size());
  problem.depth = problem.value_depth = 1;
  if (problem.scale == 0) problem.scale = 1;
  if (!mask.empty()) problem.additive_mask = AdditiveMask::shared;
  OperationData data = AttentionBackward::data(problem, FillKind::normal, Arithmetic{}, 1);
  data.operands[AttentionBackwardOperand::query] = OperandFill::of({1});
  data.operands[AttentionBackwardOperand::key] = OperandFill::of(keys);
  data.operands[AttentionBackwardOperand::value] = OperandFill::of(values);
  if (!mask.empty()) data.operands[AttentionBackwardOperand::additive_mask] = OperandFill::of(mask);
  data.operands[AttentionBackwardOperand::output_gradient] = OperandFill::of({gradient});
  Host host(1);
  OperationSubject<AttentionBackward> subject = portable_operation_subject<AttentionBackward>(Host(1));
  if (spoilt)
    subject.run = [run = subject.run](const AttentionProblem& of, const OperandArray& operands) -> Result<void> {
      if (auto done = run(of, operands); !done) return done;
      const Operand& output = operands[AttentionBackwardOperand::value_gradient];
      output.store(0, output.load(0) / 2);
      return {};
    };
  return check_operation<AttentionBackward>(host, subject, problem, data, {}, {}).verdict;
}

}  // namespace

TEST_CASE("where products of a gradient with values may overflow only the gradients of values are decided") {
  AttentionProblem problem;
  SECTION("of a key whose weight is nothing") {
    CHECK(verdict_of_row(problem, {0, -150}, {1, 1e20}, 1e20) == Verdict::inconclusive);
    CHECK(verdict_of_row(problem, {0, -150}, {1, 1e20}, 1e20, {}, true) == Verdict::fail);
    CHECK(verdict_of_row(problem, {0, -150}, {1, 1e10}, 1e20) == Verdict::pass);
  }
  SECTION("where they are added up") {
    CHECK(verdict_of_row(problem, {0, 0}, {2e38, 2e38}, 1) == Verdict::inconclusive);
    CHECK(verdict_of_row(problem, {0, 0}, {1e38, 1e38}, 1) == Verdict::pass);
  }
  SECTION("where changes are multiplied by keys before they are scaled") {
    problem.scale = 1e-20;
    CHECK(verdict_of_row(problem, {1e10, 2e10}, {1e30, 3e30}, 1) == Verdict::inconclusive);
    CHECK(verdict_of_row(problem, {1e10, 2e10}, {1e20, 3e20}, 1) == Verdict::pass);
  }
  SECTION("where changes are stored in 16 bits") {
    problem.weights = element_format<float16>();
    CHECK(verdict_of_row(problem, {0, 0}, {1e6, -1e6}, 1) == Verdict::inconclusive);
    CHECK(verdict_of_row(problem, {0, 0}, {1e4, -1e4}, 1) == Verdict::pass);
  }
}

TEST_CASE("keys whose score is -inf may be left out of a row of NaN, or be NaN") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const AttentionProblem problem;
  CHECK(verdict_of_row(problem, {nan, 1}, {1, 2}, 1, {0, -infinity}) == Verdict::inconclusive);
  CHECK(verdict_of_row(problem, {nan, 1}, {1, 2}, 1, {0, 0}) == Verdict::pass);
}
