#include "assay/kernels/attention/attention.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "assay/faults/attention_faults.hpp"
#include "kernels/block_verdicts.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right attention kernels are not accused") {
  testing::require_correct_kernels_pass<Attention>(0.4);
}

TEST_CASE("every fault of an attention is caught by its default suite") {
  testing::require_faults_are_caught<Attention>({"flushed_output", "flushed_input", "nan_read_as_zero"});
}

TEST_CASE("a device's references of an attention judge kernels as the host's do") {
  testing::require_same_verdicts_by_blocks<Attention>(47);
}

TEST_CASE("the reference of an attention is the definition") {
  Host host(1);
  auto stream = host.make_stream();
  AttentionProblem problem;
  problem.heads = 2;
  problem.key_heads = 1;
  problem.queries = 2;
  problem.keys = 3;
  problem.depth = 2;
  problem.value_depth = 1;
  problem.causal = problem.alibi = true;
  problem.soft_cap = 2;
  problem.additive_mask = AdditiveMask::shared;
  float q[2][2][2] = {{{1, 2}, {-1, 0.5f}}, {{0.25f, 3}, {2, -1}}}, k[3][2] = {{1, 0}, {0.5f, -1}, {-2, 1}},
        v[3] = {1, -4, 16}, mask[2][3] = {{0, 1, 5}, {-0.5f, 0, 0.25f}}, slopes[2] = {0.5f, 0.125f};
  OperandArray operands;
  operands.count = AttentionOperand::count;
  operands[AttentionOperand::query] = contiguous_operand(&q[0][0][0], {1, 2, 2, 2});
  operands[AttentionOperand::key] = contiguous_operand(&k[0][0], {1, 1, 3, 2});
  operands[AttentionOperand::value] = contiguous_operand(v, {1, 1, 3, 1});
  operands[AttentionOperand::additive_mask] = contiguous_operand(&mask[0][0], {2, 3});
  operands[AttentionOperand::slopes] = contiguous_operand(slopes, {2});
  for (const AttentionAlignment alignment : {AttentionAlignment::top_left, AttentionAlignment::bottom_right}) {
    problem.alignment = alignment;
    auto reference =
        Attention::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    auto expected = reference.value().expected;
    for (int h = 0; h < 2; ++h)
      for (int i = 0; i < 2; ++i) {
        const int diagonal = i + (alignment == AttentionAlignment::bottom_right ? 1 : 0);
        double sum = 0, output = 0;
        for (int j = 0; j <= diagonal; ++j) {
          const double dot = static_cast<double>(q[h][i][0]) * static_cast<double>(k[j][0]) +
                             static_cast<double>(q[h][i][1]) * static_cast<double>(k[j][1]);
          const double score = 2 * std::tanh(dot / std::sqrt(2.0) / 2) -
                               static_cast<double>(slopes[h]) * (diagonal - j) + static_cast<double>(mask[i][j]);
          sum += std::exp(score);
          output += std::exp(score) * static_cast<double>(v[j]);
        }
        expected.output = 0;
        CHECK(expected(h * 2 + i, 0).value == Approx(output / sum).epsilon(1e-13));
        CHECK(expected(h * 2 + i, 0).error > 0);
        CHECK(expected(h * 2 + i, 0).error < 5e-4);
        expected.output = 1;
        CHECK(expected(h, i).value == Approx(std::log(sum)).epsilon(1e-13));
        CHECK(expected(h, i).error < 2e-5);
      }
  }
}

TEST_CASE("references of an attention are the same by vectors of every width and row by row") {
  Host host(2);
  auto stream = host.make_stream();
  std::size_t compared = 0;
  for (const OperationShape<AttentionProblem>& shape : Attention::shapes(element_format<bfloat16>())) {
    if (shape.large) continue;
    const AttentionProblem& problem = shape.problem;
    const FillKind fill = shape.fills.back();
    const OperationData data = Attention::data(problem, fill, Arithmetic{}, 5);
    auto memory =
        detail::OperationMemory<Host>::create(host, stream.value(), Attention::operands(problem).value(), data, {});
    REQUIRE(memory);
    const OperandArray operands = memory.value().operands_before().value();
    const AttentionBound bound = AttentionBound::of(problem, data.model, Arithmetic{});
    const AttentionLayout layout(problem, operands);
    const auto plain = attention_reference(host, stream.value(), problem, operands, data.model, Arithmetic{}, false);
    const auto rows = static_cast<std::size_t>(operands[AttentionOperand::log_sum_exp].size()),
               elements = static_cast<std::size_t>(operands[AttentionOperand::output].size());
    for (const InstructionSet set : all_instruction_sets) {
      if (set > widest_instruction_set()) continue;
      std::vector<double> value(elements, -1), error(elements, -1), sum_value(rows, -1), sum_error(rows, -1);
      REQUIRE(detail::host_attention_reference(host, stream.value(), problem, layout, bound,
                                               {value.data(), error.data(), sum_value.data(), sum_error.data()}, set));
      const auto near = [](double a, double b) {
        return (is_nan(a) && is_nan(b)) || a == b || std::fabs(a - b) <= 1e-11 * (1e-3 + std::fabs(b));
      };
      const AttentionResults& other = plain.value().expected.results;
      bool same = true;
      for (std::size_t e = 0; e < elements; ++e)
        same = same && near(value[e], other.value[e]) && near(error[e], other.error[e]);
      for (std::size_t r = 0; r < rows; ++r)
        same = same && near(sum_value[r], other.sum_value[r]) && near(sum_error[r], other.sum_error[r]);
      INFO(name_of(problem) << " " << name_of(fill) << " " << name_of(set));
      CHECK(same);
      compared += elements;
    }
  }
  CHECK(compared > 10000);
}

TEST_CASE("problems of an attention that cannot be are refused") {
  AttentionProblem problem;
  problem.heads = 4;
  problem.key_heads = 2;
  problem.batch = 2;
  problem.queries = problem.keys = 8;
  REQUIRE(Attention::operands(problem));
  SECTION("heads") {
    problem.key_heads = 3;
    testing::require_refused<Attention>(problem, "key_heads");
  }
  SECTION("no heads of keys") {
    problem.key_heads = 0;
    testing::require_refused<Attention>(problem, "key_heads");
  }
  SECTION("depth") {
    problem.depth = 0;
    testing::require_refused<Attention>(problem, "depth");
  }
  SECTION("negative extent") {
    problem.queries = -1;
    testing::require_refused<Attention>(problem, "queries");
  }
  SECTION("scale") {
    problem.scale = -1;
    testing::require_refused<Attention>(problem, "scale");
  }
  SECTION("soft cap") {
    problem.soft_cap = -2;
    testing::require_refused<Attention>(problem, "soft_cap");
  }
  SECTION("window") {
    problem.window_left = -2;
    testing::require_refused<Attention>(problem, "window_left");
  }
  SECTION("format") {
    problem.weights = element_format<std::int8_t>();
    testing::require_refused<Attention>(problem, "weights");
  }
  SECTION("too few lengths") {
    problem.key_lengths = {3};
    testing::require_refused<Attention>(problem, "key_lengths");
  }
  SECTION("a length beyond the keys") {
    problem.key_lengths = {3, 9};
    testing::require_refused<Attention>(problem, "key_lengths[1]");
  }
  SECTION("packed without lengths") {
    problem.storage = AttentionStorage::packed;
    testing::require_refused<Attention>(problem, "query_lengths");
  }
  SECTION("packed beyond 32 bits") {
    problem.storage = AttentionStorage::packed;
    problem.query_lengths = {1, 1};
    problem.key_lengths = {Index{1} << 30, Index{1} << 30};
    testing::require_refused<Attention>(problem, "key_lengths");
  }
  SECTION("packed beyond 64 bits") {
    problem.storage = AttentionStorage::packed;
    problem.query_lengths = problem.key_lengths = {Index{1} << 30, 1};
    problem.heads = problem.key_heads = Index{1} << 30;
    testing::require_refused<Attention>(problem, "2^63");
  }
  SECTION("a cache beyond 64 bits") {
    problem.key_lengths = {3, 8};
    deal_pages(problem, 8);
    problem.pages = problem.page_size = (Index{1} << 31) - 1;
    testing::require_refused<Attention>(problem, "2^63");
  }
  SECTION("mask of packed sequences") {
    problem.storage = AttentionStorage::packed;
    problem.query_lengths = problem.key_lengths = {1, 1};
    problem.additive_mask = AdditiveMask::shared;
    testing::require_refused<Attention>(problem, "additive_mask");
  }
  SECTION("paged") {
    problem.key_lengths = {3, 8};
    deal_pages(problem, 4);
    REQUIRE(Attention::operands(problem));
    SECTION("page out of range") {
      problem.block_table[1 * 2 + 1] = problem.pages;
      testing::require_refused<Attention>(problem, "block_table[1][1]");
    }
    SECTION("an unused page is nobody's business") {
      problem.block_table[1] = 1000;
      CHECK(Attention::operands(problem));
    }
    SECTION("table of another size") {
      problem.block_table.pop_back();
      testing::require_refused<Attention>(problem, "block_table");
    }
    SECTION("page size") {
      problem.page_size = 0;
      testing::require_refused<Attention>(problem, "page_size");
    }
  }
}

namespace {

Outcome check(const OperationSubject<Attention>& subject, const AttentionProblem& problem, const OperationData& data) {
  Host host(1);
  return check_operation<Attention>(host, subject, problem, data, {}, {});
}

template <class Accumulator>
OperationSubject<Attention> composed_attention() {
  OperationSubject<Attention> subject;
  subject.run = [](const AttentionProblem& problem, const OperandArray& operands) -> Result<void> {
    detail::EmulatedAttention<Accumulator> kernel;
    kernel.order = detail::EmulatedAttention<Accumulator>::Order::composed;
    kernel(problem, operands);
    return {};
  };
  subject.arithmetic = [](const AttentionProblem&) { return arithmetic_in<Accumulator>(); };
  return subject;
}

/// Of one query and keys of depth 1, which are its scores. The kernel finds the maximum on the way, and multiplies by
/// the values' scale at last.
Outcome check_on_the_way(AttentionProblem problem, const std::vector<double>& scores, const std::vector<double>& values,
                         float value_scale = 1) {
  problem.queries = problem.depth = problem.value_depth = 1;
  problem.keys = static_cast<Index>(scores.size());
  problem.scale = 1;
  problem.key_value_scale = KeyValueScale::per_tensor;
  OperationData data = Attention::data(problem, FillKind::normal, Arithmetic{}, 1);
  data.operands[AttentionOperand::query] = OperandFill::of({1});
  data.operands[AttentionOperand::key] = OperandFill::of(scores);
  data.operands[AttentionOperand::value] = OperandFill::of(values);
  data.operands[AttentionOperand::key_scale] = OperandFill::of({1});
  data.operands[AttentionOperand::value_scale] = OperandFill::of({static_cast<double>(value_scale)});
  OperationSubject<Attention> subject;
  subject.run = [&](const AttentionProblem&, const OperandArray& operands) -> Result<void> {
    float maximum = -std::numeric_limits<float>::infinity(), sum = 0, output = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const float score = static_cast<float>(scores[j]), higher = std::max(maximum, score),
                  factor = std::exp(maximum - higher), weight = std::exp(score - higher);
      sum = sum * factor + weight;
      output = output * factor + weight * static_cast<float>(values[j]);
      maximum = higher;
    }
    operands[AttentionOperand::output].store(0, static_cast<double>(output / sum * value_scale));
    operands[AttentionOperand::log_sum_exp].store(0, static_cast<double>(maximum + std::log(sum)));
    return {};
  };
  return check(subject, problem, data);
}

}  // namespace

TEST_CASE("sums that overflow before the largest score is met decide nothing") {
  const AttentionProblem problem;
  CHECK(check_on_the_way(problem, {0, 0, 0, 40}, {3e38, 3e38, 3e38, 1}).verdict == Verdict::inconclusive);
  CHECK(check_on_the_way(problem, {0, 0, 0, 40}, {8e37, 8e37, 8e37, 1}).verdict == Verdict::pass);
  CHECK(check_on_the_way(problem, {0, 0, 0, 0}, {3e38, 3e38, 3e38, 1}, 1e-10f).verdict == Verdict::inconclusive);
  CHECK(check_on_the_way(problem, {0, 0, 0, 0}, {8e37, 8e37, 8e37, 1}, 1e-10f).verdict == Verdict::pass);
}

TEST_CASE("values that a row does not see, or in another column, decide nothing about it") {
  AttentionProblem problem;
  problem.queries = problem.keys = 3;
  problem.depth = 1;
  problem.value_depth = 2;
  OperationData data = Attention::data(problem, FillKind::normal, Arithmetic{}, 1);
  data.operands[AttentionOperand::key] = OperandFill::of({0, 0, 0});
  SECTION("hidden") {
    problem.causal = true;
    data.operands[AttentionOperand::value] = OperandFill::of({2, 2, 4, 4, 3e38, 3e38});
  }
  SECTION("masked") {
    const double hidden = -std::numeric_limits<double>::infinity();
    problem.additive_mask = AdditiveMask::shared;
    data.operands[AttentionOperand::additive_mask] = OperandFill::of({0, hidden, hidden, 0, 0, hidden, 0, 0, 0});
    data.operands[AttentionOperand::value] = OperandFill::of({2, 2, 4, 4, 3e38, 3e38});
  }
  SECTION("in another column") {
    problem.causal = true;
    data.operands[AttentionOperand::value] = OperandFill::of({2, 3e38, 4, 3e38, 1, 3e38});
  }
  OperationSubject<Attention> subject = composed_attention<float32>();
  CHECK(check(subject, problem, data).verdict != Verdict::fail);
  subject.run = [run = subject.run](const AttentionProblem& of, const OperandArray& operands) -> Result<void> {
    if (auto done = run(of, operands); !done) return done;
    operands[AttentionOperand::output].store(1 * 2 + 0, 3.5);
    return {};
  };
  CHECK(check(subject, problem, data).verdict == Verdict::fail);
  testing::BlockHost by_blocks(ThreadOrder::ascending);
  CHECK(check_operation<Attention>(by_blocks, subject, problem, data, {}, {}).verdict == Verdict::fail);

  Host host(1);
  auto stream = host.make_stream();
  auto memory =
      detail::OperationMemory<Host>::create(host, stream.value(), Attention::operands(problem).value(), data, {});
  REQUIRE(memory);
  const auto row_by_row = attention_reference(host, stream.value(), problem, memory.value().operands_before().value(),
                                              data.model, Arithmetic{}, false);
  REQUIRE(row_by_row);
  CHECK(row_by_row.value().expected(1, 0).value == Approx(3));
  CHECK(row_by_row.value().expected(1, 0).error < 1e-4);
}

TEST_CASE("keys whose scores are far below all others leave nothing undecided") {
  AttentionProblem problem;
  problem.keys = 40;
  problem.depth = problem.value_depth = 1;
  problem.scale = 1;
  for (const double far : {-1e7, -1e9, -1e12}) {
    std::vector<double> keys(40, far), values(40, 5);
    keys[0] = 0;
    values[0] = 2;
    OperationData data = Attention::data(problem, FillKind::normal, Arithmetic{}, 1);
    data.operands[AttentionOperand::query] = OperandFill::of({1});
    data.operands[AttentionOperand::key] = OperandFill::of(keys);
    data.operands[AttentionOperand::value] = OperandFill::of(values);
    OperationSubject<Attention> subject = composed_attention<float32>();
    CHECK(check(subject, problem, data).verdict == Verdict::pass);
    subject.run = [](const AttentionProblem&, const OperandArray& operands) -> Result<void> {
      operands[AttentionOperand::output].store(0, 3);
      operands[AttentionOperand::log_sum_exp].store(0, 0);
      return {};
    };
    CHECK(check(subject, problem, data).verdict == Verdict::fail);
  }
}

TEST_CASE("a mask of -inf does not hide a score that overflows") {
  AttentionProblem problem;
  problem.keys = 2;
  problem.depth = problem.value_depth = 1;
  problem.scale = 1;
  problem.additive_mask = AdditiveMask::shared;
  const double hidden = -std::numeric_limits<double>::infinity();
  OperationData data = Attention::data(problem, FillKind::normal, Arithmetic{}, 1);
  data.operands[AttentionOperand::query] = OperandFill::of({1e20});
  data.operands[AttentionOperand::value] = OperandFill::of({5, 7});
  const auto verdict = [&](std::vector<double> keys, std::vector<double> mask) {
    data.operands[AttentionOperand::key] = OperandFill::of(std::move(keys));
    data.operands[AttentionOperand::additive_mask] = OperandFill::of(std::move(mask));
    const auto subject = portable_operation_subject<Attention>(Host(1));
    testing::BlockHost by_blocks(ThreadOrder::ascending);
    const Verdict own = check(subject, problem, data).verdict;
    CHECK(check_operation<Attention>(by_blocks, subject, problem, data, {}, {}).verdict == own);
    return own;
  };
  CHECK(verdict({0, 1e20}, {0, hidden}) == Verdict::inconclusive);
  CHECK(verdict({0, 1e20}, {hidden, hidden}) == Verdict::inconclusive);
  CHECK(verdict({0, 1e10}, {0, hidden}) == Verdict::pass);
  CHECK(verdict({0, -1e20}, {0, hidden}) == Verdict::pass);
  CHECK(verdict({0, hidden}, {0, 0}) == Verdict::pass);
}

TEST_CASE("scores beyond the range in which they are stored are undetermined above it and weigh nothing below") {
  AttentionProblem problem;
  problem.keys = 2;
  problem.depth = problem.value_depth = 1;
  problem.scale = 1;
  problem.query = problem.key_value = problem.scores = element_format<float16>();
  problem.additive_mask = AdditiveMask::shared;
  const double hidden = -std::numeric_limits<double>::infinity();
  OperationData data = Attention::data(problem, FillKind::normal, Arithmetic{}, 1);
  data.operands[AttentionOperand::query] = OperandFill::of({300});
  data.operands[AttentionOperand::value] = OperandFill::of({5, 7});
  const auto verdict = [&](std::vector<double> keys, std::vector<double> mask) {
    data.operands[AttentionOperand::key] = OperandFill::of(std::move(keys));
    data.operands[AttentionOperand::additive_mask] = OperandFill::of(std::move(mask));
    const auto subject = composed_attention<float32>();
    testing::BlockHost by_blocks(ThreadOrder::ascending);
    const Verdict own = check(subject, problem, data).verdict;
    CHECK(check_operation<Attention>(by_blocks, subject, problem, data, {}, {}).verdict == own);
    return own;
  };
  SECTION("above") {
    CHECK(verdict({0, 300}, {0, hidden}) == Verdict::inconclusive);
    CHECK(verdict({0, 300}, {0, 0}) == Verdict::inconclusive);
    CHECK(verdict({0, 200}, {0, 60000}) == Verdict::inconclusive);
    CHECK(verdict({0, 200}, {0, hidden}) == Verdict::pass);
  }
  SECTION("below") {
    CHECK(verdict({0, -300}, {0, 0}) == Verdict::pass);
    CHECK(verdict({0, -300}, {0, hidden}) == Verdict::pass);
    CHECK(verdict({0, -200}, {0, -60000}) == Verdict::pass);
    CHECK(verdict({-299, -300}, {0, 0}) == Verdict::inconclusive);
    CHECK(verdict({hidden, hidden}, {0, 0}) == Verdict::pass);
  }
  SECTION("capped") {
    problem.soft_cap = 50;
    CHECK(verdict({0, 300}, {0, 0}) == Verdict::pass);
    CHECK(verdict({0, -300}, {0, hidden}) == Verdict::pass);
  }
}

TEST_CASE("a query that overflows when it is scaled first decides nothing") {
  AttentionProblem problem;
  problem.depth = problem.value_depth = 1;
  problem.scale = 20;
  OperationData data = Attention::data(problem, FillKind::normal, Arithmetic{}, 1);
  data.operands[AttentionOperand::key] = OperandFill::of({1e-38});
  data.operands[AttentionOperand::value] = OperandFill::of({5});
  OperationSubject<Attention> subject;
  subject.run = [](const AttentionProblem& of, const OperandArray& operands) -> Result<void> {
    const float query = static_cast<float>(operands[AttentionOperand::query].load(0)) * static_cast<float>(of.scale),
                score = query * static_cast<float>(operands[AttentionOperand::key].load(0)),
                weight = std::exp(score - score);
    operands[AttentionOperand::output].store(0, static_cast<double>(weight / weight * 5));
    operands[AttentionOperand::log_sum_exp].store(0, static_cast<double>(score + std::log(weight)));
    return {};
  };
  testing::BlockHost by_blocks(ThreadOrder::ascending);
  for (const auto& [query, verdict] : {std::pair{1e38, Verdict::inconclusive}, {1e37, Verdict::pass}}) {
    data.operands[AttentionOperand::query] = OperandFill::of({query});
    CHECK(check(subject, problem, data).verdict == verdict);
    CHECK(check_operation<Attention>(by_blocks, subject, problem, data, {}, {}).verdict == verdict);
  }
}

TEST_CASE("a window as large as numbers are hides nothing") {
  AttentionLayout layout;
  layout.heads = layout.key_heads = 1;
  layout.keys = 9;
  layout.queries = 12;
  layout.window_left = layout.window_right = std::numeric_limits<Index>::max();
  for (const bool bottom_right : {false, true}) {
    layout.bottom_right = bottom_right;
    for (Index query = 0; query < layout.queries; ++query) {
      const AttentionRow row = layout.row(0, 0, query);
      CHECK(row.first == 0);
      CHECK(row.last == 9);
    }
  }
}

TEST_CASE("products that underflow are no reason to accuse a right attention") {
  AttentionProblem problem;
  problem.queries = 4;
  problem.keys = 64;
  problem.depth = problem.value_depth = 8;
  OperationData data = Attention::data(problem, FillKind::exact_integer, Arithmetic{}, 1);
  data.operands[AttentionOperand::value] = OperandFill::of(std::vector<double>(64 * 8, 0x1p-149 * 100));
  CHECK(check(composed_attention<float32>(), problem, data).verdict == Verdict::pass);
}

TEST_CASE("stored weights that are nearly equal and off alike are right") {
  AttentionProblem problem;
  problem.queries = 4;
  problem.keys = 900;
  problem.scale = 1e-4;
  problem.query = problem.key_value = problem.weights = element_format<bfloat16>();
  CHECK(check(composed_attention<float32>(), problem, Attention::data(problem, FillKind::uniform, Arithmetic{}, 1))
            .verdict == Verdict::pass);
}

TEST_CASE("weights that double has not are nothing, however large values are") {
  AttentionProblem problem;
  problem.keys = 64;
  problem.depth = problem.value_depth = 1;
  problem.scale = 1;
  problem.query = problem.key_value = problem.output = problem.weights = problem.scores = element_format<float64>();
  std::vector<double> keys(64, -1000), values(64, 1e306);
  keys[5] = 0;
  values[5] = 1;
  OperationData data = Attention::data(problem, FillKind::normal, Arithmetic{}, 1);
  data.operands[AttentionOperand::query] = OperandFill::of({1});
  data.operands[AttentionOperand::key] = OperandFill::of(keys);
  data.operands[AttentionOperand::value] = OperandFill::of(values);
  CHECK(check(composed_attention<float64>(), problem, data).verdict == Verdict::pass);
}
