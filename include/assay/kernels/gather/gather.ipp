#pragma once

#include "assay/kernels/gather/gather.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Gather::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const bool gathers = problem.kind == GatherKind::gather, in_place = problem.kind == GatherKind::scatter_add;
  const std::vector<Index> whole{problem.rows, problem.width}, picked{problem.count, problem.width};
  return std::vector<OperandSpec>{
      {"table", in_place ? OperandRole::updated : OperandRole::input, problem.format, whole, gathers || in_place},
      {"indices", OperandRole::input, problem.index_format, {problem.count}},
      {"source", OperandRole::input, problem.format, picked, !gathers},
      {gathers ? "output" : "gradient_table", OperandRole::output, problem.format, gathers ? picked : whole,
       !in_place}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData Gather::data(const Problem& problem, FillKind kind,
                                                      const Arithmetic& arithmetic, std::uint64_t seed) {
  OperationData data;
  OperandFill values;
  values.pattern = {kind, seed * 4, problem.width, problem.format.layout};
  if (kind == FillKind::swamping || kind == FillKind::constant) {  // along the indices, which name one row
    values.pattern.length = problem.count;
    values.inner = problem.width;
  }
  values.random_codes = problem.kind == GatherKind::gather && (kind == FillKind::special || !problem.format.is_float());
  OperandFill other = values;
  ++other.pattern.seed;
  switch (kind) {
    case FillKind::normal:
    case FillKind::special: data.model = RoundingModel::statistical; break;
    case FillKind::uniform:
      data.model = positive_sum_model(problem.count + 1, arithmetic.accumulation, RoundingModel::statistical);
      break;
    case FillKind::exact_integer:
      data.model = 2 * static_cast<double>(problem.count + 1) <= power_of_two(arithmetic.accumulation.precision)
                       ? RoundingModel::exact
                       : RoundingModel::worst_case;
      break;
    default: break;
  }
  if (problem.kind == GatherKind::gather) data.model = RoundingModel::exact;
  data.operands = {values, OperandFill::of(drawn_indices(problem, kind, seed * 4 + 2)), other, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<double> Gather::drawn_indices(const Problem& problem, FillKind kind,
                                                                     std::uint64_t seed) {
  std::vector<double> drawn;
  const Index rows = problem.rows > 0 ? problem.rows : 1;
  for (Index position = 0; position < problem.count; ++position) {
    const RandomBits bits = random_bits(seed, static_cast<std::uint64_t>(position), 0);
    Index index = static_cast<Index>(bits.low() % static_cast<std::uint64_t>(rows));
    if (kind == FillKind::constant || kind == FillKind::swamping) index = rows / 2;
    if (kind == FillKind::exact_integer) index = rows - 1 - index % (rows < 3 ? rows : 3);
    const std::uint32_t chance = static_cast<std::uint32_t>(bits.words[3] % 8);
    if (problem.negative == NegativeIndex::from_end && chance < 3) index -= problem.rows;
    if (problem.out_of_range != OutOfRange::refused && chance == 4) index = problem.rows + index % 3;
    if (problem.out_of_range != OutOfRange::refused && chance == 5) index = -problem.rows - 1 - index % 3;
    if (problem.out_of_range != OutOfRange::refused && chance == 6 && problem.negative == NegativeIndex::out_of_range)
      index = -1;
    drawn.push_back(static_cast<double>(index));
  }
  return drawn;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Gather::derivation(const Problem& problem, RoundingModel model,
                                                                       const Arithmetic& arithmetic) {
  using detail::number;
  if (problem.kind == GatherKind::gather)
    return {"rows are copied as they are: E = 0, and codes must be the same bit by bit"};
  const auto growth = detail::GrowthByTerms::of(
      static_cast<double>(problem.count + 1) * static_cast<double>(problem.width), arithmetic.accumulation, model);
  return {
      "c terms and what stood there before are added in any order: E = g(c + 1) sum |terms| + (c + 1) eta; 0 where "
      "nothing is added",
      "g(2) = " + number(growth(2)) + ", g of all " + number(static_cast<double>(problem.count)) +
          " indices = " + number(growth(static_cast<double>(problem.count + 1))) + " (Higham 2002, section 4.2)"};
}

ASSAY_DETAIL_HEADER_INLINE bool Gather::judge(const Problem& problem, const OperandArray& operands,
                                              const OperandArray& before, int, const Arithmetic&, Outcome& outcome) {
  if (!judges(problem, 0)) return false;
  const auto code = [&](Index element) {
    const Index row = problem.row_of(static_cast<Index>(before[indices].load(element / problem.width)));
    const Operand& rows = before[table];
    return row < 0 ? problem.format.encode(0)
                   : rows.format.load_code(rows.data, rows.offset(row, element % problem.width));
  };
  return detail::judge_codes(operands[output], code, outcome);
}

/// Embeddings of language models (cut), tables beyond 2^16 rows, one row, one column, no index, policies for indices
/// outside the table, counts that pile up on one row.
ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Gather::Problem>> Gather::shapes(const ElementFormat& format) {
  using enum FillKind;
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Problem problem, Index rows, Index width, Index count, const std::vector<FillKind>& fills,
                       bool large = false) {
    problem.rows = rows;
    problem.width = width;
    problem.count = count;
    shapes.push_back({problem, fills, large});
  };
  for (const GatherKind kind : {GatherKind::gather, GatherKind::scatter_add, GatherKind::embedding_gradient}) {
    Problem problem;
    problem.kind = kind;
    problem.format = format;
    const bool gathers = kind == GatherKind::gather;
    const std::vector<FillKind> all =
        gathers ? std::vector<FillKind>{special, normal, constant, exact_integer}
                : std::vector<FillKind>{normal, uniform, constant, swamping, exact_integer, special};
    const std::vector<FillKind> core =
        gathers ? std::vector<FillKind>{special, normal} : std::vector<FillKind>{normal, constant, special};
    add(problem, 100, 64, 37, all);
    add(problem, 13, 17, 101, all);
    add(problem, 6, 71, 9, {normal});  // beyond whole tiles of columns
    add(problem, 7, 1, 513, all);
    add(problem, 70001, 1, 64, {normal, exact_integer});
    add(problem, 1, 5, 8, core);
    add(problem, 33, 8, 1, core);
    add(problem, 5, 9, 0, {normal});
    add(problem, 3, 768, 9, core);                    // a row of BERT-base
    add(problem, 128256, 4096, 512, {normal}, true);  // Llama 3
    if (!gathers) add(problem, 2, 3, 4099, {normal, constant, exact_integer});
    for (const OutOfRange policy : {OutOfRange::refused, OutOfRange::clamped, OutOfRange::zeros})
      for (const NegativeIndex negative : {NegativeIndex::out_of_range, NegativeIndex::from_end}) {
        Problem own = problem;
        own.out_of_range = policy;
        own.negative = negative;
        own.index_format = negative == NegativeIndex::from_end ? element_format<std::int32_t>() : own.index_format;
        if (policy != OutOfRange::refused || negative == NegativeIndex::from_end) add(own, 19, 12, 61, core);
      }
    Problem empty = problem;
    empty.out_of_range = OutOfRange::zeros;
    add(empty, 0, 4, 6, {normal});
    if (kind == GatherKind::embedding_gradient) {
      problem.padding_row = 6;
      add(problem, 13, 17, 101, core);
    }
    if (!gathers || !(format == element_format<float32>())) continue;
    for (const ElementFormat& other : {element_format<float8_e4m3fn>(), element_format<std::int8_t>()}) {
      problem.format = other;
      add(problem, 40, 24, 55, core);
    }
  }
  return shapes;
}

}  // namespace assay::inline v0
