#pragma once

#include "assay/accuracy/confusion.hpp"

#include <cmath>
#include <string>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::uint64_t Confusion::truths(std::size_t of) const {
  std::uint64_t sum = outside_by_truth.empty() ? 0 : outside_by_truth[of];
  for (std::size_t i = 0; i < classes; ++i) sum += at(of, i);
  return sum;
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t Confusion::predictions(std::size_t of) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < classes; ++i) sum += at(i, of);
  return sum;
}

ASSAY_DETAIL_HEADER_INLINE Confusion confusion(std::span<const std::int64_t> predictions,
                                               std::span<const std::int64_t> truths, std::size_t classes,
                                               std::int64_t ignore) {
  expect(predictions.size() == truths.size(), [&] {
    return "confusion() was given " + std::to_string(predictions.size()) + " predictions for " +
           std::to_string(truths.size()) + " truths";
  });
  Confusion result;
  result.classes = classes;
  result.counts.assign(classes * classes, 0);
  result.outside_by_truth.assign(classes, 0);
  const auto is_class = [&](std::int64_t value) {
    return value >= 0 && static_cast<std::uint64_t>(value) < static_cast<std::uint64_t>(classes);
  };
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if (truths[i] == ignore) {
      ++result.ignored;
      continue;
    }
    expect(is_class(truths[i]), [&] {
      return "the truth at position " + std::to_string(i) + " is " + std::to_string(truths[i]) + "; there are " +
             std::to_string(classes) + " classes";
    });
    const auto truth = static_cast<std::size_t>(truths[i]);
    if (is_class(predictions[i]))
      ++result.counts[truth * classes + static_cast<std::size_t>(predictions[i])];
    else
      ++result.outside, ++result.outside_by_truth[truth];
  }
  return result;
}

ASSAY_DETAIL_HEADER_INLINE ClassFigures class_figures(const Confusion& confusion, std::size_t of) {
  const auto hits = static_cast<double>(confusion.at(of, of)), truths = static_cast<double>(confusion.truths(of)),
             predictions = static_cast<double>(confusion.predictions(of));
  return {predictions > 0 ? hits / predictions : 0, truths > 0 ? hits / truths : 0,
          truths + predictions > 0 ? 2 * hits / (truths + predictions) : 0};
}

ASSAY_DETAIL_HEADER_INLINE Score accuracy_of(const Confusion& confusion) {
  Score score{
      "accuracy", 0,       "1",         true, "share of elements that are right; averages over classes that occur",
      {},         {2, {}}, mean_of_sums};
  double total = 0, hits = 0, f1 = 0, recall = 0, both = 0, squares_truth = 0, squares_prediction = 0, occur = 0,
         named = 0;
  for (std::size_t k = 0; k < confusion.classes; ++k) {
    const auto truths = static_cast<double>(confusion.truths(k)),
               predictions = static_cast<double>(confusion.predictions(k));
    const ClassFigures own = class_figures(confusion, k);
    total += truths;
    hits += static_cast<double>(confusion.at(k, k));
    both += truths * predictions;
    squares_truth += truths * truths;
    squares_prediction += predictions * predictions;
    if (truths > 0) recall += own.recall, ++occur;
    if (truths + predictions > 0) f1 += own.f1, ++named;
  }
  const auto outside = static_cast<double>(confusion.outside);
  squares_prediction += outside * outside;  // what is no class is one more
  score.value = hits / total;
  score.statistics = {};  // a matrix does not tell samples apart
  const double chance = both / (total * total),
               scatter = std::sqrt(total * total - squares_prediction) * std::sqrt(total * total - squares_truth);
  score.parts = {{"macro_f1", f1 / named, "1"},
                 {"balanced_accuracy", recall / occur, "1"},
                 {"kappa", (score.value - chance) / (1 - chance), "1"},
                 {"matthews", scatter > 0 ? (hits * total - both) / scatter : 0, "1"},
                 {"elements", total, "elements"},
                 {"ignored", static_cast<double>(confusion.ignored), "elements"},
                 {"predictions_outside_classes", outside, "elements"}};
  return score;
}

ASSAY_DETAIL_HEADER_INLINE Score mean_intersection_over_union(std::span<const Confusion> images) {
  expect(!images.empty(), [] { return "mean_intersection_over_union() was given no image"; });
  const std::size_t classes = images.front().classes;
  Score score{
      "miou", 0, "1", true, "pooled over images, mean over classes that truth or prediction has", {}, {2 * classes, {}},
      {}};
  score.of_sums = [classes](std::span<const double> sums) {
    double sum = 0, present = 0;
    for (std::size_t k = 0; k < classes; ++k)
      if (sums[2 * k + 1] > 0) sum += sums[2 * k] / sums[2 * k + 1], ++present;
    return sum / present;
  };
  std::vector<double> row(2 * classes);
  double ignored = 0, absent = 0;
  for (const Confusion& image : images) {
    expect(image.classes == classes, [] { return "images with different numbers of classes were given"; });
    for (std::size_t k = 0; k < classes; ++k) {
      row[2 * k] = static_cast<double>(image.at(k, k));
      row[2 * k + 1] = static_cast<double>(image.truths(k) + image.predictions(k) - image.at(k, k));
    }
    ignored += static_cast<double>(image.ignored);
    score.statistics.add(row);
  }
  const std::vector<double> sums = score.statistics.sums();
  score.value = score.of_sums(sums);
  for (std::size_t k = 0; k < classes; ++k) absent += sums[2 * k + 1] > 0 ? 0 : 1;
  score.parts = {{"classes_absent", absent, "classes"},
                 {"ignored", ignored, "elements"},
                 {"images", static_cast<double>(images.size()), "samples"}};
  return score;
}

}  // namespace assay::inline v0
