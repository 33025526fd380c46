#include "assay/validators/suite_coverage.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "assay/kernels.hpp"

using namespace assay;

namespace {

/// All problems of the default suite, those that cover lengths included.
template <class Op>
std::vector<typename Op::Problem> default_problems(const ElementFormat& format = element_format<float32>()) {
  std::vector<typename Op::Problem> problems;
  for (const auto& shape : detail::without_large(Op::shapes(format))) problems.push_back(shape.problem);
  for (const auto& shape : covering_shapes<Op>(format)) problems.push_back(shape.problem);
  return problems;
}

template <class Op, class Predicate>
bool any(Predicate predicate, const ElementFormat& format = element_format<float32>()) {
  const auto problems = default_problems<Op>(format);
  return std::any_of(problems.begin(), problems.end(), predicate);
}

template <class Op>
void expect_complete() {
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>()}) {
    const SuiteCoverage coverage = suite_coverage<Op>(format);
    CAPTURE(Op::name(), format.name);
    CHECK_FALSE(coverage.cells.empty());
    for (const SuiteCoverage::Cell& cell : coverage.cells) {
      CAPTURE(cell.length, cell.length_class, cell.ways, cell.reached);
      CHECK((!cell.problem.empty() || !cell.possible));
      CHECK(cell.reached == cell.ways);
    }
    for (const auto& shape : covering_shapes<Op>(format)) {
      CAPTURE(name_of(shape.problem));
      CHECK(Op::operands(shape.problem));
      CHECK(shape.fills.size() == 1);
    }
  }
}

template <class... Ops>
void expect_all_complete(Operations<Ops...>) {
  (expect_complete<Ops>(), ...);
}

}  // namespace

TEST_CASE("every operation's suite reaches every class of lengths that can be, and so every way of it") {
  expect_all_complete(AllOperations());
}

TEST_CASE("what an operation lists by itself is told from what it lacks") {
  const auto own = detail::without_large(Linear::shapes(element_format<float32>()));
  const SuiteCoverage without = detail::coverage_plan<Linear>(own).coverage();
  CHECK_FALSE(without.complete());
  const Table summary = coverage_summary(without);
  CHECK(std::any_of(summary.rows.begin(), summary.rows.end(),
                    [](const std::vector<std::string>& row) { return row[0] == "k" && row[2] != "-"; }));
  const Table table = coverage_table(suite_coverage<Linear>(element_format<float32>()));
  CHECK(table.rows.size() == length_classes().size());
  CHECK(std::find(table.columns.begin(), table.columns.end(), "groups") != table.columns.end());
}

// Written by hand, so that a length that is not taken for one is missed.
TEST_CASE("places that public reports tell of are reached") {
  // a grouped product with more than a tile of columns; block-scaled ones that end half way in a block of scales
  CHECK(any<Linear>([](const LinearProblem& p) { return p.groups > 1 && p.m > 0 && p.k > 0 && p.n > 256; }));
  CHECK(any<Linear>([](const LinearProblem& p) {
    return p.b.storage == LinearStorage::block_scaled && p.b.scheme.block_columns == 128 && p.groups == 0 && p.m > 0 &&
           p.n > 0 && p.k % 128 == 64 && p.k > 128;
  }));
  CHECK(any<Linear>([](const LinearProblem& p) { return p.b.zero_points != LinearGranularity::none && p.n > 256; }));
  CHECK(any<Linear>([](const LinearProblem& p) { return p.activation == LinearActivation::swiglu && p.k > 256; }));
  CHECK(any<Attention>([](const AttentionProblem& p) { return p.causal && p.keys > 256 && p.keys % 128 != 0; }));
  CHECK(any<Attention>([](const AttentionProblem& p) { return p.queries > 256; }));
  CHECK(any<Attention>([](const AttentionProblem& p) { return p.depth > 128 && p.depth % 128 == 64; }));
  for (const NormalizationKind kind : {NormalizationKind::layer, NormalizationKind::rms, NormalizationKind::group})
    CHECK(any<Normalization>([&](const NormalizationProblem& p) { return p.kind == kind && p.channels >= 192; }));
  const auto sorts = Sort::shapes(element_format<float32>());  // as many alike take long
  CHECK(std::any_of(sorts.begin(), sorts.end(),
                    [](const auto& shape) { return shape.problem.length > 8192 && shape.problem.k > 1024; }));
  CHECK(any<Softmax>([](const SoftmaxProblem& p) { return p.masked && p.length > 256; }));
  CHECK(any<Convolution>([](const ConvolutionProblem& p) { return p.output_channels > 256; }));
  CHECK(any<Resize>([](const ResizeProblem& p) {
    return p.antialias && p.mode == ResizeMode::cubic && p.cubic_coefficient != ResizeProblem{}.cubic_coefficient;
  }));
}

TEST_CASE("lengths are changed together where one alone cannot be, and nothing is found where none can") {
  std::vector<detail::LengthsOfProblem> problems{{{"rows", "columns", "twin"}, {4, 6, 6}, "a", "4x6"}};
  const detail::SizesOf sizes = [&](std::size_t,
                                    const detail::LengthChanges& changes) -> std::optional<detail::OperandSizes> {
    std::vector<Index> lengths{4, 6, 6};
    for (const auto& [position, value] : changes) lengths[position] = value;
    if (lengths[1] != lengths[2] || lengths[0] % 4 != 0 || lengths[0] > 300) return std::nullopt;
    return detail::OperandSizes{lengths[0] * lengths[1], lengths[0] * lengths[1]};
  };
  const detail::CoveragePlan plan(problems, sizes);
  const auto cell = [&](const std::string& length, const std::string& name) {
    for (const SuiteCoverage::Cell& entry : plan.coverage().cells)
      if (entry.length == length && entry.length_class == name) return entry;
    return SuiteCoverage::Cell{};
  };
  CHECK_FALSE(cell("rows", "odd").possible);
  CHECK(cell("rows", "64").possible);
  CHECK_FALSE(cell("rows", "1024").possible);
  CHECK(cell("columns", "65").possible);
  for (const detail::CoveringProblem& step : plan.steps()) {
    CHECK(sizes(step.problem, step.changes));
    if (step.changes.front().first == 1) CHECK(step.changes.size() == 2);
  }
}
