#pragma once

#include "assay/training/tensor_parallel.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE PerceptronData::PerceptronData(const TensorParallelOptions& options) {
  const auto fill = [&](std::uint64_t stream, Index count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(0.5 * standard_normal(random_bits(options.seed, i, stream)));
    return values;
  };
  x = fill(0, options.rows * options.width);
  up = fill(1, options.width * options.hidden);
  up_bias = fill(2, options.hidden);
  down = fill(3, options.hidden * options.width);
  down_bias = fill(4, options.width);
  gradient = fill(5, options.rows * options.width);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<TensorParallelRecord> run_tensor_parallel(AnyCollective& collective,
                                                                            const TensorParallelOptions& options,
                                                                            TensorParallelFault fault,
                                                                            int faulty_rank) {
  const int rank = collective.rank(), size = collective.size();
  const bool faulty = rank == faulty_rank % size;
  const detail::PerceptronData data(options);
  RankShare units = samples_of(options.hidden, rank, size), rows_of_down = units;
  const RankShare whole = units;
  if (fault == TensorParallelFault::boundary_off_by_one && faulty && units.count() > 0) --units.end, --rows_of_down.end;
  if (fault == TensorParallelFault::shard_of_another && faulty)
    rows_of_down = samples_of(options.hidden, (rank + 1) % size, size);
  if (rows_of_down.count() > units.count()) rows_of_down.end = rows_of_down.begin + units.count();
  detail::PerceptronPass<float> pass(options, data, units, rows_of_down);
  TensorParallelRecord record{rank,
                              size,
                              pass.output,
                              pass.input_gradient,
                              pass.up_gradient,
                              pass.up_bias_gradient,
                              pass.down_gradient,
                              pass.down_bias_gradient};
  if (units.count() < whole.count()) {  // its gradients stay 0
    record.up_bias_gradient.push_back(0);
    record.down_gradient.resize(static_cast<std::size_t>(whole.count() * options.width));
    std::vector<float> wider;
    for (Index k = 0; k < options.width; ++k) {
      wider.insert(wider.end(), pass.up_gradient.begin() + k * units.count(),
                   pass.up_gradient.begin() + (k + 1) * units.count());
      wider.push_back(0);
    }
    record.up_gradient = std::move(wider);
  }
  detail::Exchange exchange(collective, options.deadline);
  CollectiveCall call;
  call.count = options.rows * options.width;
  const auto add_bias = [&](std::vector<float>& output) {
    for (std::size_t i = 0; i < output.size(); ++i)
      output[i] += data.down_bias[i % static_cast<std::size_t>(options.width)];
  };
  if (fault == TensorParallelFault::bias_on_every_rank) add_bias(record.output);
  if (fault != TensorParallelFault::missing_all_reduce) {
    const std::vector<float> part = record.output;
    if (auto done = exchange.run(call, part.data(), record.output.data()); !done) return done.propagate();
  }
  if (fault != TensorParallelFault::bias_on_every_rank) add_bias(record.output);
  if (fault != TensorParallelFault::missing_backward_reduce) {
    const std::vector<float> part = record.input_gradient;
    if (auto done = exchange.run(call, part.data(), record.input_gradient.data()); !done) return done.propagate();
  }
  return record;
}

ASSAY_DETAIL_HEADER_INLINE Outcome check_tensor_parallel(const std::string& name, const TensorParallelOptions& options,
                                                         std::span<const TensorParallelRecord> records) {
  Outcome outcome;
  const int ranks = static_cast<int>(records.size());
  const std::string shape =
      std::to_string(options.rows) + "x" + std::to_string(options.width) + "x" + std::to_string(options.hidden);
  outcome.id = "training/tensor_parallel/" + name + "/f32/" + shape + "/ranks-" + std::to_string(ranks);
  outcome.labels = {{"operation", "tensor_parallel"}, {"backend", name}, {"formats", "f32"}, {"shape", shape}};
  outcome.seed = options.seed;
  const auto refuse = [&](const std::string& why) {
    outcome.verdict = Verdict::error;
    outcome.reason = why;
    return outcome;
  };
  if (records.empty()) return refuse("there are no records; give those of all ranks, in their order");
  const Index d = options.width;
  const detail::PerceptronData data(options);
  const detail::PerceptronPass<double> exact(options, data, {0, options.hidden}, {0, options.hidden});
  std::vector<detail::PerceptronPass<double>> parts;
  const std::size_t elements = exact.output.size();
  for (int rank = 0; rank < ranks; ++rank) {
    const TensorParallelRecord& record = records[static_cast<std::size_t>(rank)];
    const RankShare units = samples_of(options.hidden, rank, ranks);
    if (record.rank != rank || record.size != ranks || record.output.size() != elements ||
        record.input_gradient.size() != elements ||
        record.up_gradient.size() != static_cast<std::size_t>(units.count() * d) ||
        record.down_gradient.size() != static_cast<std::size_t>(units.count() * d) ||
        record.up_bias_gradient.size() != static_cast<std::size_t>(units.count()) ||
        record.down_bias_gradient.size() != static_cast<std::size_t>(d))
      return refuse("the record of rank " + std::to_string(rank) + " is of another rank, number of ranks or shape");
    parts.emplace_back(options, data, units, units);
  }
  const double unit_growth =
      detail::gamma_of(2 * static_cast<double>(options.hidden + d + ranks + 8), detail::float32_unit);
  const auto allowed = [&](bool forward, std::size_t i) {
    return unit_growth *
               ((forward ? exact.output_magnitude : exact.input_magnitude)[i] +
                (forward ? std::fabs(static_cast<double>(data.down_bias[i % static_cast<std::size_t>(d)])) : 0)) +
           1e-37;
  };
  const auto bias = [&](std::size_t i) { return static_cast<double>(data.down_bias[i % static_cast<std::size_t>(d)]); };
  const auto fits = [&](bool forward, double slack, const auto& value) {
    for (const TensorParallelRecord& record : records)
      for (std::size_t i = 0; i < elements; ++i)
        if (!(std::fabs(static_cast<double>((forward ? record.output : record.input_gradient)[i]) -
                        value(record.rank, i)) <= slack * allowed(forward, i)))
          return false;
    return true;
  };
  const auto found = [&](TensorParallelFault fault, const std::string& text) {
    if (fault != TensorParallelFault::none && !outcome.labels.contains("named"))
      outcome.labels["named"] = name_of(fault);
    outcome.diagnosis.push_back(text);
  };

  double worst = 0;
  for (const TensorParallelRecord& record : records)
    for (std::size_t i = 0; i < elements; ++i)
      for (const bool forward : {true, false}) {
        const double value = static_cast<double>((forward ? record.output : record.input_gradient)[i]),
                     wanted = forward ? exact.output[i] + bias(i) : exact.input_gradient[i];
        const double ratio = std::fabs(value - wanted) / allowed(forward, i);
        worst = std::isfinite(ratio) ? std::max(worst, ratio) : std::numeric_limits<double>::infinity();
      }
  outcome.measure(measurement::worst_error_ratio, worst);
  outcome.measure(measurement::elements, static_cast<double>(2 * elements * records.size()), "elements");
  outcome.derivation.push_back(
      "y and the gradient of x: γ_{2(h+d+n+8)}(2⁻²⁴)·Σ|terms|, h = " + std::to_string(options.hidden) + ", d = " +
      std::to_string(d) + ", n = " + std::to_string(ranks) + "; gradients of weights: the same bits as the whole's");

  const bool forward_right = fits(true, 1, [&](int, std::size_t i) { return exact.output[i] + bias(i); });
  const bool backward_right = fits(false, 1, [&](int, std::size_t i) { return exact.input_gradient[i]; });
  const auto left_out = [&](bool forward) {  // which rank's last unit is missing from the sum
    for (int rank = 0; rank < ranks; ++rank) {
      const RankShare units = samples_of(options.hidden, rank, ranks);
      if (units.count() == 0) continue;
      const detail::PerceptronPass<double> last(options, data, {units.end - 1, units.end}, {units.end - 1, units.end});
      if (fits(forward, 2, [&](int, std::size_t i) {
            return forward ? exact.output[i] + bias(i) - last.output[i]
                           : exact.input_gradient[i] - last.input_gradient[i];
          }))
        return rank;
    }
    return -1;
  };
  const auto own_part = [&](bool forward) {
    return ranks > 1 && fits(forward, 2, [&](int rank, std::size_t i) {
             const auto& part = parts[static_cast<std::size_t>(rank)];
             return forward ? part.output[i] + bias(i) : part.input_gradient[i];
           });
  };
  if (!forward_right) {
    if (own_part(true))
      found(TensorParallelFault::missing_all_reduce,
            "forward: each rank has its own part of the output: the all_reduce behind the row-split layer is missing");
    else if (ranks > 1 && fits(true, 2 * ranks, [&](int, std::size_t i) { return exact.output[i] + ranks * bias(i); }))
      found(TensorParallelFault::bias_on_every_rank, "forward: the bias of the row-split layer is in the output " +
                                                         std::to_string(ranks) + " times: add it once, after the sum");
    else if (const int rank = left_out(true); rank >= 0)
      found(TensorParallelFault::boundary_off_by_one,
            "forward: the last hidden unit of rank " + std::to_string(rank) +
                " is not in the output: the boundary of its shard is off by one");
    else {
      int swapped = -1;
      for (int rank = 0; rank < ranks && swapped < 0 && ranks > 1; ++rank) {
        const RankShare units = samples_of(options.hidden, rank, ranks);
        RankShare others = samples_of(options.hidden, (rank + 1) % ranks, ranks);
        if (others.count() > units.count()) others.end = others.begin + units.count();
        const detail::PerceptronPass<double> wrong(options, data, units, others);
        if (fits(true, 3, [&](int, std::size_t i) {
              return exact.output[i] + bias(i) - parts[static_cast<std::size_t>(rank)].output[i] + wrong.output[i];
            }))
          swapped = rank;
      }
      if (swapped >= 0)
        found(TensorParallelFault::shard_of_another,
              "forward: rank " + std::to_string(swapped) +
                  " multiplies with the rows of B that belong to the next rank's columns of A");
      else
        found(TensorParallelFault::none, "forward: outputs are off by up to " + number_text(worst) +
                                             " times what rounding allows, in no way that is known here");
    }
  }
  if (!backward_right) {
    if (own_part(false))
      found(TensorParallelFault::missing_backward_reduce,
            "backward: each rank has its own part of the gradient of x: the all_reduce behind the column-split layer "
            "is missing");
    else if (const int rank = left_out(false); rank >= 0)
      found(TensorParallelFault::boundary_off_by_one,
            "backward: the last hidden unit of rank " + std::to_string(rank) + " is not in the gradient of x");
    else
      found(TensorParallelFault::none,
            "backward: gradients of x are off by up to " + number_text(worst) + " times what rounding allows");
  }
  const detail::PerceptronPass<float> whole(options, data, {0, options.hidden}, {0, options.hidden});
  for (const TensorParallelRecord& record : records) {
    if (!std::equal(record.output.begin(), record.output.end(), records[0].output.begin()) && forward_right)
      found(TensorParallelFault::none,
            "rank " + std::to_string(record.rank) + " has other bits of the output than rank 0");
    if (!std::equal(record.input_gradient.begin(), record.input_gradient.end(), records[0].input_gradient.begin()) &&
        backward_right)
      found(TensorParallelFault::none,
            "rank " + std::to_string(record.rank) + " has other bits of the gradient of x than rank 0");
    const RankShare units = samples_of(options.hidden, record.rank, ranks);
    Index wrong = 0, first = -1;
    const auto compare = [&](float value, float wanted, Index unit) {
      if (value == wanted) return;
      ++wrong;
      if (first < 0) first = unit;
    };
    for (Index unit = units.begin; unit < units.end; ++unit) {
      const Index own = unit - units.begin;
      for (Index e = 0; e < d; ++e) {
        compare(record.up_gradient[static_cast<std::size_t>(e * units.count() + own)],
                whole.up_gradient[static_cast<std::size_t>(e * options.hidden + unit)], unit);
        compare(record.down_gradient[static_cast<std::size_t>(own * d + e)],
                whole.down_gradient[static_cast<std::size_t>(unit * d + e)], unit);
      }
      compare(record.up_bias_gradient[static_cast<std::size_t>(own)],
              whole.up_bias_gradient[static_cast<std::size_t>(unit)], unit);
    }
    if (wrong > 0)
      found(TensorParallelFault::none,
            "rank " + std::to_string(record.rank) + ": " + std::to_string(wrong) +
                " gradients of its shard of A, a and B are not the whole's, from hidden unit " + std::to_string(first) +
                " on");
    if (record.down_bias_gradient != whole.down_bias_gradient)
      found(TensorParallelFault::none,
            "rank " + std::to_string(record.rank) + ": the gradient of b is not the whole's");
  }
  outcome.verdict = outcome.diagnosis.empty() ? Verdict::pass : Verdict::fail;
  if (!outcome.diagnosis.empty()) outcome.reason = outcome.diagnosis.front();
  return outcome;
}

}  // namespace assay::inline v0
