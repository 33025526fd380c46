#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "assay/formats/small_formats.hpp"
#include "assay/kernels/attention/attention.hpp"
#include "assay/validators/operation_memory.hpp"
#include "kernels/block_host.hpp"

using namespace assay;

namespace {

using Change = std::function<void(OperandArray&)>;

/// Blocks' references beside the host's row by row: values and bounds, of outputs and of log-sum-exps, within 1e-11.
/// How far the bounds are apart where they may be is returned.
double require_same(
    const AttentionProblem& problem, FillKind fill, const Change& change = [](OperandArray&) {}, double loosened = 0,
    const Arithmetic& arithmetic = {}) {
  Host host(2);
  auto stream = host.make_stream();
  const OperationData data = Attention::data(problem, fill, arithmetic, 5);
  auto specs = Attention::operands(problem);
  REQUIRE(specs);
  auto memory = detail::OperationMemory<Host>::create(host, stream.value(), std::move(specs).value(), data, {});
  REQUIRE(memory);
  OperandArray operands = memory.value().operands_before().value();
  change(operands);
  const auto there = attention_reference(host, stream.value(), problem, operands, data.model, arithmetic, false);
  REQUIRE(there);
  const auto rows = static_cast<std::size_t>(operands[AttentionOperand::log_sum_exp].size()),
             elements = static_cast<std::size_t>(operands[AttentionOperand::output].size());
  const auto near = [](double a, double b, double larger) {
    return (is_nan(a) && is_nan(b)) || a == b || std::fabs(a - b) <= 1e-11 * (1e-3 + std::fabs(b)) ||
           (larger > 0 && a >= b && a <= b * (1 + larger));
  };
  double apart = 0;
  for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending}) {
    testing::BlockHost blocks(order);
    const auto here = attention_reference(blocks, stream.value(), problem, operands, data.model, arithmetic);
    REQUIRE(here);
    const AttentionResults &a = here.value().expected.results, &b = there.value().expected.results;
    std::size_t wrong = 0;
    const auto look = [&](const double* value, const double* error, const double* other_value,
                          const double* other_error, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        wrong += near(value[i], other_value[i], 0) && near(error[i], other_error[i], loosened) ? 0 : 1;
        if (std::isfinite(other_error[i]) && other_error[i] > 0) apart = std::max(apart, error[i] / other_error[i] - 1);
      }
    };
    look(a.value, a.error, b.value, b.error, elements);
    look(a.sum_value, a.sum_error, b.sum_value, b.sum_error, rows);
    INFO(name_of(problem) << " " << formats_of(problem) << " " << name_of(fill));
    CHECK(wrong == 0);
  }
  return apart;
}

[[nodiscard]] AttentionProblem attention_of(Index queries, Index keys, Index depth, Index value_depth,
                                            const ElementFormat& format = element_format<bfloat16>()) {
  AttentionProblem problem;
  problem.heads = 2;
  problem.key_heads = 1;
  problem.queries = queries;
  problem.keys = keys;
  problem.depth = depth;
  problem.value_depth = value_depth;
  problem.query = problem.key_value = problem.output = problem.weights = format;
  return problem;
}

}  // namespace

TEST_CASE("a device's blocks find the host's references of an attention: all of its default suite") {
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>()})
    for (const OperationShape<AttentionProblem>& shape : Attention::shapes(format)) {
      if (shape.large) continue;
      for (const FillKind fill : shape.fills) require_same(shape.problem, fill);
    }
}

TEST_CASE("tiles of an attention end where they must: queries, keys, depths and values of any number") {
  for (const Index queries : {Index{1}, Index{16}, Index{17}, Index{33}})
    for (const Index keys : {Index{0}, Index{1}, Index{63}, Index{64}, Index{65}, Index{131}})
      for (const bool causal : {false, true}) {
        AttentionProblem problem = attention_of(queries, keys, 8, 5);
        problem.causal = causal;
        require_same(problem, FillKind::normal);
        problem.alignment = AttentionAlignment::top_left;
        if (causal) require_same(problem, FillKind::uniform);
        problem.window_left = 40;
        problem.window_right = 3;
        require_same(problem, FillKind::normal);
      }
  for (const Index depth : {Index{1}, Index{31}, Index{32}, Index{33}, Index{200}})
    for (const Index value_depth : {Index{0}, Index{1}, Index{127}, Index{129}, Index{300}})
      require_same(attention_of(3, 70, depth, value_depth), FillKind::normal);
}

TEST_CASE("a device's attention reads quantized caches, soft caps, stored scores and float64") {
  AttentionProblem problem = attention_of(5, 200, 40, 24);
  problem.key_value = element_format<float8_e4m3fn>();
  for (const KeyValueScale scale : {KeyValueScale::none, KeyValueScale::per_tensor, KeyValueScale::per_head}) {
    problem.key_value_scale = scale;
    require_same(problem, FillKind::normal);
  }
  problem.scores = element_format<bfloat16>();
  require_same(problem, FillKind::normal);
  problem.soft_cap = 3;
  require_same(problem, FillKind::normal);
  problem.alibi = true;
  problem.additive_mask = AdditiveMask::per_head;
  require_same(problem, FillKind::uniform);
  problem = attention_of(5, 200, 40, 24, element_format<float64>());
  for (const FillKind fill : {FillKind::normal, FillKind::special})
    require_same(
        problem, fill, [](OperandArray&) {}, 0, arithmetic_in<float64>());
}

TEST_CASE("NaN and infinities in queries, keys, values and masks are met by blocks as by rows") {
  AttentionProblem problem = attention_of(40, 150, 16, 20, element_format<float32>());
  problem.additive_mask = AdditiveMask::shared;
  const auto set = [](const Operand& operand, Index element, double value) { operand.store(element, value); };
  for (const double v : {static_cast<double>(NAN), static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
    require_same(problem, FillKind::normal,
                 [&](OperandArray& operands) { set(operands[AttentionOperand::query], 35 * 16 + 3, v); });
    require_same(problem, FillKind::normal,
                 [&](OperandArray& operands) { set(operands[AttentionOperand::key], 100 * 16 + 3, v); });
    require_same(problem, FillKind::normal, [&](OperandArray& operands) {
      set(operands[AttentionOperand::value], 100 * 20 + 3, v);
      set(operands[AttentionOperand::value], 149 * 20 + 3, -v);
      set(operands[AttentionOperand::value], 7 * 20 + 19, v);
      for (Index key = 0; key < 150; ++key)
        set(operands[AttentionOperand::additive_mask], 4 * 150 + key, key == 7 ? -300 : 0);  // a weight of nothing
    });
    require_same(problem, FillKind::normal, [&](OperandArray& operands) {
      for (Index key = 0; key < 150; ++key)
        set(operands[AttentionOperand::additive_mask], 4 * 150 + key,
            -static_cast<double>(INFINITY));  // a row that sees nothing
      for (Index key = 0; key < 149; ++key)
        set(operands[AttentionOperand::additive_mask], 5 * 150 + key, -static_cast<double>(INFINITY));
      set(operands[AttentionOperand::additive_mask], 6 * 150 + 2, v);
    });
    problem.causal = true;  // what is hidden is not met
    require_same(problem, FillKind::normal,
                 [&](OperandArray& operands) { set(operands[AttentionOperand::value], 130 * 20 + 3, v); });
    problem.causal = false;
  }
  for (const FullyMasked policy : {FullyMasked::nan, FullyMasked::zeros}) {
    problem.fully_masked = policy;
    require_same(problem, FillKind::normal, [&](OperandArray& operands) {
      for (Index e = 0; e < operands[AttentionOperand::additive_mask].size(); ++e)
        set(operands[AttentionOperand::additive_mask], e, -static_cast<double>(INFINITY));
    });
  }
}

TEST_CASE("rises of the maximum are counted forwards and backwards as one thread counts them") {
  AttentionProblem problem = attention_of(2, 300, 4, 3, element_format<float32>());
  problem.weights = element_format<float32>();
  problem.additive_mask = AdditiveMask::shared;
  const auto ramp = [](double (*height)(Index)) {
    return [height](OperandArray& operands) {
      for (Index e = 0; e < 600; ++e) operands[AttentionOperand::additive_mask].store(e, height(e % 300));
    };
  };
  CHECK(require_same(problem, FillKind::normal, ramp([](Index key) { return 10.0 * static_cast<double>(key); })) <
        1e-9);
  CHECK(require_same(problem, FillKind::normal, ramp([](Index key) { return -10.0 * static_cast<double>(key); })) <
        1e-9);
  CHECK(require_same(problem, FillKind::normal, ramp([](Index key) {
                       return key < 60    ? -10.0 * static_cast<double>(key)
                              : key < 200 ? -5000
                                          : -700 + static_cast<double>(key);
                     })) < 1e-9);
  // 200 that fall, then one above most of them: 64 are taken back, the others allowed for
  const double apart =
      require_same(problem, FillKind::normal,
                   ramp([](Index key) { return key == 299 ? -50.0 : -10.0 * static_cast<double>(key); }), 30);
  CHECK(apart > 0.01);
}

TEST_CASE("operands of an attention may have gaps and begin anywhere") {
  const AttentionProblem problem = attention_of(20, 90, 24, 10);
  std::vector<bfloat16> store[3];
  const auto spread = [&](OperandArray& operands) {
    for (int i = 0; i < 3; ++i) {
      Operand& operand = operands[i];
      const Operand dense = operand;
      const int last = dense.rank - 1;
      const Index row = dense.extents[last] * 3 + 1;
      store[i].assign(static_cast<std::size_t>(dense.size() / dense.extents[last] * row + 8), encode<bfloat16>(NAN));
      operand.data = store[i].data() + 3;
      operand.strides[last] = 3;
      for (int d = last - 1, count = 0; d >= 0; --d, ++count)
        operand.strides[d] = count == 0 ? row : operand.strides[d + 1] * dense.extents[d + 1];
      for (Index e = 0; e < dense.size(); ++e) operand.store(e, dense.load(e));
    }
  };
  require_same(problem, FillKind::normal, spread);
}
