#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/non_maximum_suppression/non_maximum_suppression.hpp"

namespace assay::inline v0 {

namespace detail {

/// Suppression in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedSuppression {
  enum class Method { greedy, reversed_ties };
  Method method = Method::greedy;
  bool divides = true;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }
  [[nodiscard]] double narrow(double value) const {
    return fault == "narrow_boxes" ? round_to<bfloat16>(value) : value;
  }

  struct Box {
    double low[2], high[2], area;
  };
  [[nodiscard]] Box box(const SuppressionProblem& problem, const Operand& boxes, Index image, Index index) const {
    Box box;
    double extents[2];
    for (int d = 0; d < 2; ++d) {
      const double x = boxes.at(image, index, d), y = boxes.at(image, index, 2 + d);
      const bool center = problem.box_format == BoxFormat::center && fault != "format_ignored";
      box.low[d] = narrow(center ? round(x - y / 2) : x);
      box.high[d] = narrow(center ? round(x + y / 2) : y);
      extents[d] = center && divides ? y : round(box.high[d] - box.low[d] + (fault == "pixels_counted" ? 1 : 0));
    }
    box.area = round(extents[0] * extents[1]);
    return box;
  }
  [[nodiscard]] bool overlaps(const SuppressionProblem& problem, const Box& a, const Box& b) const {
    double extents[2];
    for (int d = 0; d < 2; ++d) {
      extents[d] =
          round(std::min(a.high[d], b.high[d]) - std::max(a.low[d], b.low[d]) + (fault == "pixels_counted" ? 1 : 0));
      if (fault != "extents_not_cut") extents[d] = std::max(extents[d], 0.0);
    }
    const double both = round(extents[0] * extents[1]);
    double united = round(round(a.area + b.area) - both);
    if (fault == "intersection_counted_twice") united = round(a.area + b.area);
    if (fault == "smaller_area") united = std::min(a.area, b.area);
    if (!divides) return both > round(problem.iou_threshold * united);
    return united > 0 && round(both / united) > problem.iou_threshold;
  }

  void operator()(const SuppressionProblem& problem, const OperandArray& operands) const {
    const Operand &scores = operands[NonMaximumSuppression::scores], &kept = operands[NonMaximumSuppression::kept],
                  &count = operands[NonMaximumSuppression::count];
    for (Index image = 0; image < problem.batch; ++image) {
      std::vector<Index> order;
      std::vector<Box> boxes;
      for (Index i = 0; i < problem.boxes; ++i) {
        const double score = scores.at(image, i);
        boxes.push_back(box(problem, operands[NonMaximumSuppression::boxes], fault == "first_image" ? 0 : image, i));
        if (score > static_cast<double>(static_cast<float>(problem.score_threshold)) || fault == "scores_ignored" ||
            (fault == "nan_kept" && is_nan(score)))
          order.push_back(i);
      }
      const bool reversed =
          (method == Method::reversed_ties && problem.ties == ScoreTies::any) || fault == "ties_reversed";
      const auto before = [&](Index a, Index b) {
        const double x = scores.at(image, a), y = scores.at(image, b);
        if (is_nan(x) || is_nan(y)) return is_nan(x) != is_nan(y) ? is_nan(x) : a < b;
        return x > y || (x == y && (reversed ? a > b : a < b));
      };
      if (fault != "not_sorted") std::sort(order.begin(), order.end(), before);
      std::vector<bool> suppressed(order.size());
      std::vector<std::size_t> list;
      for (std::size_t i = 0; i < order.size(); ++i) {
        const bool keep = !suppressed[i];
        if (keep) list.push_back(i);
        if (!keep && fault != "chain") continue;
        for (std::size_t j = i + 1; j < order.size(); ++j) {
          if (fault == "blocks_apart" && i / 16 != j / 16) continue;
          if (overlaps(problem, boxes[static_cast<std::size_t>(order[i])], boxes[static_cast<std::size_t>(order[j])]))
            suppressed[j] = true;
        }
      }
      Index room = problem.most;
      if (fault == "one_too_few" && room > 1) --room;
      Index found = 0;
      for (const std::size_t rank : list)
        if (found < room) {
          kept.format.store(kept.data, kept.offset(image, found),
                            static_cast<double>(fault == "ranks_for_indices" ? static_cast<Index>(rank) : order[rank]));
          ++found;
        }
      for (Index place = found; place < problem.most; ++place)
        kept.format.store(kept.data, kept.offset(image, place), fault == "rest_zero" ? 0 : -1);
      count.format.store(count.data, count.offset(image),
                         static_cast<double>(fault == "all_counted" ? static_cast<Index>(order.size()) : found));
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<NonMaximumSuppression> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> operations{"non_maximum_suppression"};
    return {{"chain", repeated_work, "lets suppressed boxes suppress others", operations},
            {"not_sorted", addressing, "takes boxes in the order of the input", operations},
            {"ties_reversed", addressing,
             "takes the higher index first where scores are equal and the lower is asked for", operations},
            {"pixels_counted", repeated_work, "counts one pixel more in every extent", operations},
            {"extents_not_cut", special_value, "multiplies two negative extents of boxes that are apart", operations},
            {"intersection_counted_twice", repeated_work, "does not take the intersection off the union", operations},
            {"smaller_area", addressing, "divides by the smaller box instead of the union", operations},
            {"format_ignored", addressing, "reads centers and extents as corners", operations},
            {"scores_ignored", missing_work, "ignores the score threshold", operations},
            {"nan_kept", special_value, "puts boxes first whose score is NaN", operations},
            {"blocks_apart", missing_work, "compares boxes within blocks of 16 only", operations},
            {"one_too_few", missing_work, "keeps one box less than there is room for", operations},
            {"ranks_for_indices", addressing, "gives ranks by score for indices", operations},
            {"rest_zero", memory, "writes 0 behind the last kept box instead of -1", operations},
            {"all_counted", repeated_work, "counts suppressed boxes, too", operations},
            {"first_image", addressing, "reads the boxes of the first image for all", operations},
            {"narrow_boxes", precision, "rounds boxes to bfloat16", operations}};
  }
  [[nodiscard]] static OperationSubject<NonMaximumSuppression> faulty(std::string_view name) {
    using Kernel = detail::EmulatedSuppression<float32>;
    return host_subject<NonMaximumSuppression>(
        std::string(name), Kernel{Kernel::Method::greedy, true, own_fault<NonMaximumSuppression>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<NonMaximumSuppression>> correct() {
    using Kernel = detail::EmulatedSuppression<float32>;
    using Narrow = detail::EmulatedSuppression<bfloat16>;
    using Double = detail::EmulatedSuppression<float64>;
    return {host_subject<NonMaximumSuppression>("greedy", Kernel{Kernel::Method::greedy}),
            host_subject<NonMaximumSuppression>("without_division", Kernel{Kernel::Method::greedy, false}),
            host_subject<NonMaximumSuppression>("reversed_ties", Kernel{Kernel::Method::reversed_ties}),
            host_subject<NonMaximumSuppression>("in_double", Double{Double::Method::greedy}),
            host_subject<NonMaximumSuppression>("in_bf16", Narrow{Narrow::Method::greedy}, arithmetic_in<bfloat16>())};
  }
};

}  // namespace assay::inline v0
