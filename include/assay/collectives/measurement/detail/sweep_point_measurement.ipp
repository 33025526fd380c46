#pragma once

#include "assay/collectives/measurement/detail/sweep_point_measurement.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<SweepPoint> SweepPointMeasurement::run() {
  SweepPoint point;
  point.operation = problem_.operation;
  point.type = problem_.type;
  point.reduction = problem_.reduction;
  point.root = problem_.root;
  point.ranks = collective_.size();
  point.count = problem_.operation == CollectiveOperation::barrier ? 0 : problem_.count;
  point.in_place = problem_.in_place;
  point.bytes =
      size_bytes(problem_.operation, problem_.count, static_cast<double>(bytes_of(problem_.type)), point.ranks);
  if (problem_.operation == CollectiveOperation::all_to_all_v) point.bytes = largest_exchange();
  measure();
  auto agreed = agree();
  if (!agreed) return agreed.propagate();
  point.error = agreed.value();
  auto told = coordinator_.exchange(own_text(), patience());
  if (!told) return told.propagate();
  if (!point.error) combine(told.value(), point);
  return point;
}

ASSAY_DETAIL_HEADER_INLINE double SweepPointMeasurement::largest_exchange() const {
  Index most = 0;
  for (int rank = 0; rank < collective_.size(); ++rank)
    for (const bool sent : {true, false}) {
      Index sum = 0;
      for (const Index count : varied_layout(problem_, rank, collective_.size(), sent).counts) sum += count;
      most = std::max(most, sum);
    }
  return static_cast<double>(most) * static_cast<double>(bytes_of(problem_.type));
}

ASSAY_DETAIL_HEADER_INLINE Result<std::optional<Error>> SweepPointMeasurement::agree() {
  auto told = coordinator_.exchange(
      error_ ? std::to_string(static_cast<int>(error_->kind)) + " " + error_->message : std::string(), patience());
  if (!told) return told.propagate();
  for (std::size_t rank = 0; rank < told.value().size(); ++rank) {
    const auto& text = told.value()[rank];
    if (!text)
      return std::optional<Error>(
          Error{ErrorKind::timed_out, "rank " + std::to_string(rank) + " did not come in time"});
    if (text->empty()) continue;
    const std::size_t space = text->find(' ');
    std::string message = text->substr(space + 1);
    if (message.rfind("rank ", 0) != 0) message = "rank " + std::to_string(rank) + ": " + message;
    return std::optional<Error>(Error{static_cast<ErrorKind>(std::stoi(text->substr(0, space))), message});
  }
  return std::optional<Error>();
}

ASSAY_DETAIL_HEADER_INLINE void SweepPointMeasurement::measure() {
  std::optional<SweepBuffers> buffers;
  auto made = SweepBuffers::make(memory_, problem_, collective_.rank(), collective_.size(),
                                 std::max(options_.iterations, options_.warm_up), options_.memory_bytes);
  if (made)
    buffers.emplace(std::move(made).value());
  else
    error_ = made.error();
  std::uint64_t next = 0;
  const std::uint64_t all = std::uint64_t{options_.warm_up} + options_.iterations;
  // Ranks with less to receive may have more outputs: batches are as long as that of the rank with the fewest.
  auto told = coordinator_.exchange(std::to_string(buffers ? buffers->outputs() : 1), patience());
  std::size_t batch = 1;
  if (told) {
    batch = all;
    for (const auto& text : told.value()) batch = std::min<std::size_t>(batch, text ? std::stoul(*text) : 1);
  } else {
    error_ = told.error();
  }
  while (next < all) {
    const std::uint64_t end = std::min<std::uint64_t>(
        {all, next + std::max<std::size_t>(batch, 1), next < options_.warm_up ? options_.warm_up : all});
    for (std::uint64_t index = next; index < end && !error_ && options_.verify; ++index) keep(buffers->prepare(index));
    auto agreed = agree();
    if (!agreed)
      error_ = agreed.error();
    else if (agreed.value())
      error_ = agreed.value();
    if (error_) return;
    align();
    for (std::uint64_t index = next; index < end && !error_; ++index) {
      const CollectiveCall call = buffers->call(index);
      if (options_.barrier_before_each && index > next) align();
      const auto start = Clock::now();
      const Result<void> done = collective_.run(call, start + options_.deadline);
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      keep(done);
      if (index >= options_.warm_up) seconds_.push_back(seconds);
    }
    for (std::uint64_t index = next; index < end && !error_ && options_.verify; ++index) inspect(*buffers, index);
    next = end;
  }
  if (error_ || !options_.verify) return;
  auto changed = buffers->changed_inputs();
  if (!changed)
    error_ = changed.error();
  else if (changed.value() > 0)
    wrong_ += static_cast<std::uint64_t>(changed.value()), changed_inputs_ = changed.value();
}

ASSAY_DETAIL_HEADER_INLINE void SweepPointMeasurement::inspect(SweepBuffers& buffers, std::uint64_t index) {
  auto finding = buffers.inspect(index);
  if (!finding) {
    keep(finding.propagate());
    return;
  }
  wrong_ += static_cast<std::uint64_t>(finding.value().wrong);
  if (finding.value().is_right() || finding_) return;
  finding_ = std::move(finding).value();
  wrong_call_ = index;
}

ASSAY_DETAIL_HEADER_INLINE std::string SweepPointMeasurement::own_text() const {
  std::string text;
  put(text, static_cast<long long>(wrong_));
  put(text, static_cast<long long>(changed_inputs_));
  put(text, static_cast<long long>(wrong_call_));
  put(text, finding_ ? to_text(*finding_) : std::string());
  std::string times(seconds_.size() * sizeof(double), '\0');
  if (!seconds_.empty()) std::memcpy(times.data(), seconds_.data(), times.size());
  put(text, times);
  return text;
}

ASSAY_DETAIL_HEADER_INLINE void SweepPointMeasurement::combine(const std::vector<std::optional<std::string>>& told,
                                                               SweepPoint& point) const {
  const auto ranks = static_cast<double>(told.size());
  std::vector<double> means(options_.iterations, 0.0), longest(options_.iterations, 0.0);
  std::vector<RankFinding> findings;
  for (std::size_t rank = 0; rank < told.size(); ++rank) {
    const std::string name = "rank " + std::to_string(rank);
    if (!told[rank]) {
      point.error = Error{ErrorKind::timed_out, name + " did not come in time"};
      return;
    }
    FindingReader reader{*told[rank]};
    const auto wrong = static_cast<std::uint64_t>(reader.number());
    const long long inputs = reader.number(), call = reader.number();
    const std::string finding_text = reader.words(), times = reader.words();
    if (!reader.ok || times.size() != options_.iterations * sizeof(double)) {
      point.error =
          Error{ErrorKind::malformed, name + " told its times in another form; are all ranks of the same build?"};
      return;
    }
    for (std::size_t i = 0; i < options_.iterations; ++i) {
      double seconds = 0;
      std::memcpy(&seconds, times.data() + i * sizeof seconds, sizeof seconds);
      means[i] += seconds / ranks;
      longest[i] = std::max(longest[i], seconds);
    }
    point.wrong += wrong;
    RankFinding finding;
    finding.rank = static_cast<int>(rank);
    if (!finding_text.empty())
      if (auto read = rank_finding_from_text(finding_text)) finding = std::move(read).value();
    if (finding.wrong > 0)
      point.findings.push_back(name + ": " + std::to_string(finding.wrong) + " of " + std::to_string(finding.elements) +
                               " elements are wrong in call " + std::to_string(call) + ", the first is " +
                               std::to_string(finding.runs.empty() ? 0 : finding.runs.front().begin));
    if (inputs > 0)
      point.findings.push_back(name + ": " + std::to_string(inputs) + " elements of the input were changed");
    findings.push_back(std::move(finding));
  }
  if (point.wrong > 0) {
    const CollectiveCause cause = diagnose_collective(problem_, findings);
    if (!cause.fault.empty())
      point.findings.insert(
          point.findings.begin(),
          "likely " + cause.fault + (cause.guilty >= 0 ? ", rank " + std::to_string(cause.guilty) : ""));
  }
  point.verified = options_.verify;
  summarize(means, std::move(longest), point);
}

ASSAY_DETAIL_HEADER_INLINE void SweepPointMeasurement::summarize(const std::vector<double>& means,
                                                                 std::vector<double> longest, SweepPoint& point) {
  for (const double mean : means) point.seconds += mean / static_cast<double>(means.size());
  point.bandwidth = bandwidth_of(point.operation, point.bytes, point.ranks, point.seconds);
  const std::vector<double> sorted = sorted_copy(longest);
  point.least_seconds = sorted.front();
  point.median_seconds = quantile_of_sorted(sorted, 0.5);
  point.p99_seconds = quantile_of_sorted(sorted, 0.99, QuantileDefinition::type_1);
  point.most_seconds = sorted.back();
  if (longest.size() > 1) {
    const Moments moments = moments_of(longest);
    point.variation = moments.mean > 0 ? moments.deviation / moments.mean : 0;
  }
  point.call_seconds = std::move(longest);
}

}  // namespace assay::inline v0::detail
