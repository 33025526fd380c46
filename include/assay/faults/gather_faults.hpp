#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/gather/gather.hpp"

namespace assay::inline v0 {

namespace detail {

/// Gathers and scattered sums in which every sum is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedGather {
  enum class Order { rising, falling, pairwise, two_halves };
  Order order = Order::rising;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  [[nodiscard]] Index row_of(const GatherProblem& problem, Index index) const {
    if (fault == "narrow_index") index = static_cast<std::int16_t>(index);
    GatherProblem own = problem;
    if (fault == "end_ignored") own.negative = NegativeIndex::out_of_range;
    if (fault == "end_ignored" && problem.out_of_range == OutOfRange::refused && index < 0) return 0;
    if (fault == "wrapped" && problem.rows > 0 && own.row_of(index) != index &&
        problem.out_of_range == OutOfRange::clamped)
      return (index % problem.rows + problem.rows) % problem.rows;
    if (fault == "clamped_instead" && problem.rows > 0 && problem.out_of_range == OutOfRange::zeros)
      own.out_of_range = OutOfRange::clamped;
    const Index row = own.row_of(index);
    return row < problem.rows ? row : problem.rows - 1;
  }
  [[nodiscard]] double add_all(std::vector<double> terms) const {
    if (order == Order::falling) std::reverse(terms.begin(), terms.end());
    if (order == Order::pairwise)
      return round(fold_pairwise(std::move(terms), 0.0, [](double a, double b) { return round(a + b); }));
    double sum = 0, second = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      double& own = order == Order::two_halves && i % 2 == 1 ? second : sum;
      own = fault == "narrow_sum" ? round_to<float16>(own + terms[i]) : round(own + terms[i]);
    }
    return order == Order::two_halves ? round(sum + second) : sum;
  }

  void gather(const GatherProblem& problem, const OperandArray& operands) const {
    const Operand &table = operands[Gather::table], &indices = operands[Gather::indices],
                  &output = operands[Gather::output];
    Index former = 0;
    for (Index i = 0; i < problem.count; ++i) {
      const Index position = order == Order::falling ? problem.count - 1 - i : i,
                  row = row_of(problem, static_cast<Index>(indices.load(position)));
      const bool stale = row < 0 && fault == "former_row" && problem.rows > 0;
      const Index last = fault == "columns_missing" && problem.width > 8 ? problem.width / 8 * 8 : problem.width;
      for (Index column = 0; column < problem.width; ++column) {
        std::uint64_t code = row < 0 && !stale
                                 ? problem.format.encode(0)
                                 : table.format.load_code(table.data, table.offset(stale ? former : row, column));
        if (fault == "payload_lost") code = problem.format.encode(problem.format.decode(code));
        if (column >= last || (fault == "last_index_missing" && position + 1 == problem.count && problem.count > 1))
          code = problem.format.encode(0);
        output.format.store_code(output.data, output.offset(position, column), code);
      }
      if (row >= 0) former = row;
    }
  }
  void scatter(const GatherProblem& problem, const OperandArray& operands) const {
    const bool in_place = problem.kind == GatherKind::scatter_add;
    const Operand &output = operands[in_place ? Gather::table : Gather::output], &indices = operands[Gather::indices],
                  &source = operands[Gather::source];
    std::vector<std::vector<Index>> positions(static_cast<std::size_t>(problem.rows));
    for (Index position = 0; position < problem.count; ++position) {
      const Index row = row_of(problem, static_cast<Index>(indices.load(position)));
      if (row < 0 || (row == problem.padding_row && fault != "padding_counted") ||
          (fault == "last_index_missing" && position + 1 == problem.count && position > 0))
        continue;
      std::vector<Index>& own = positions[static_cast<std::size_t>(row)];
      if (fault == "duplicates_lost") own.clear();
      own.push_back(position);
      if (fault == "counted_twice" && position == 0) own.push_back(position);
    }
    for (Index row = 0; row < problem.rows; ++row)
      for (Index column = 0; column < problem.width; ++column) {
        const std::vector<Index>& own = positions[static_cast<std::size_t>(row)];
        if (in_place && own.empty()) continue;
        std::vector<double> terms;
        if ((in_place && fault != "former_values_lost") || (!in_place && fault == "not_zeroed"))
          terms.push_back(output.at(row, column));
        if (!(fault == "columns_missing" && problem.width > 8 && column >= problem.width / 8 * 8))
          for (const Index position : own) terms.push_back(source.at(position, column));
        output.format.store(output.data, output.offset(row, column), add_all(std::move(terms)));
      }
  }
  void operator()(const GatherProblem& problem, const OperandArray& operands) const {
    if (problem.kind == GatherKind::gather)
      gather(problem, operands);
    else
      scatter(problem, operands);
  }
};

}  // namespace detail

template <>
struct OperationFaults<Gather> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> operations{"gather", "scatter_add", "embedding_gradient"};
    return {
        {"duplicates_lost",
         missing_work,
         "keeps only the last of several rows for one index, as a race does",
         {"scatter_add", "embedding_gradient"}},
        {"counted_twice", repeated_work, "adds the first row twice", {"scatter_add", "embedding_gradient"}},
        {"last_index_missing", missing_work, "leaves the last index out", operations},
        {"columns_missing", missing_work, "leaves columns behind the last whole vector of 8 out", operations},
        {"narrow_index", addressing, "cuts indices to 16 bits", operations},
        {"wrapped", addressing, "takes indices outside the table modulo its rows where they are to be clamped",
         operations},
        {"clamped_instead", addressing, "clamps indices outside the table where they are to count nothing", operations},
        {"end_ignored", addressing, "does not count negative indices from the end", operations},
        {"former_row", state, "repeats the former row for indices that mean none", {"gather"}},
        {"payload_lost", special_value, "copies by value: NaNs lose their payloads", {"gather"}},
        {"former_values_lost", missing_work, "stores sums instead of adding them to what is there", {"scatter_add"}},
        {"not_zeroed", state, "adds to an output that nobody has zeroed", {"embedding_gradient"}},
        {"padding_counted", repeated_work, "gives the padding row a gradient", {"embedding_gradient"}},
        {"narrow_sum", precision, "keeps sums in float16", {"scatter_add", "embedding_gradient"}}};
  }
  [[nodiscard]] static OperationSubject<Gather> faulty(std::string_view name) {
    using Kernel = detail::EmulatedGather<float32>;
    return host_subject<Gather>(std::string(name), Kernel{Kernel::Order::rising, own_fault<Gather>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Gather>> correct() {
    using Kernel = detail::EmulatedGather<float32>;
    using Narrow = detail::EmulatedGather<bfloat16>;
    using Half = detail::EmulatedGather<float16>;
    return {host_subject<Gather>("rising", Kernel{Kernel::Order::rising}),
            host_subject<Gather>("falling", Kernel{Kernel::Order::falling}),
            host_subject<Gather>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<Gather>("two_halves", Kernel{Kernel::Order::two_halves}),
            host_subject<Gather>("in_bf16", Narrow{Narrow::Order::rising}, arithmetic_in<bfloat16>()),
            host_subject<Gather>("in_f16", Half{Half::Order::falling}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
