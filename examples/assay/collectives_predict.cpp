#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/collectives/measurement/sweep_json.hpp"
#include "assay/collectives/model/cost_fit.hpp"
#include "assay/collectives/model/prediction.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "collectives.hpp"
#include "collectives_topology.hpp"
#include "fault.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

/// What predictions rest on.
struct Basis {
  assay::Topology topology;
  assay::FittedRange fitted;
  std::string text;
};

/// The cost model by which the points of a sweep are explained: that of the algorithm, if the runtime's name tells it.
assay::CostModel model_behind(const std::string& runtime, const std::string& asked) {
  if (const auto model = assay::cost_model_named(asked)) return *model;
  if (runtime.find("recursive") != std::string::npos) return assay::CostModel::recursive;
  if (runtime.find("tree") != std::string::npos) return assay::CostModel::tree;
  return assay::CostModel::ring;
}

/// Errors: `malformed`, where the file is no sweep.
assay::Result<Basis> fitted_basis(const std::string& file, const std::string& algorithm) {
  const auto text = assay::read_file(file);
  if (!text) return text.propagate();
  const auto malformed = [&](const std::string& what) {
    return assay::failure(assay::ErrorKind::malformed,
                          "'" + file + "' is no sweep that assay collectives sweep --json wrote: " + what);
  };
  const auto json = nlohmann::json::parse(text.value(), nullptr, false);
  if (!json.is_object() || !json.contains("results") || !json["results"].is_array())
    return malformed("it has no list 'results'");
  std::vector<assay::TimedCollective> points;
  try {
    const assay::CostModel model = model_behind(json.value("runtime", std::string()), algorithm);
    const auto ranks = json.at("config").at("ranks").get<assay::Index>();
    for (const auto& row : json["results"]) {
      const auto operation = assay::collective_operation_named(row.at("operation").get<std::string>());
      if (!operation) return malformed("'" + row.at("operation").get<std::string>() + "' is no operation");
      if (*operation == assay::CollectiveOperation::barrier || !row.contains("out_of_place") ||
          !row["out_of_place"].contains("time"))
        continue;
      const assay::TimedCollective point{
          assay::cost_of(model, *operation, 1, assay::flat_topology(2, assay::Link{})) ? model : assay::CostModel::ring,
          *operation, row.at("size").get<double>(), ranks, row["out_of_place"].at("time").get<double>() * 1e-6};
      points.push_back(point);
    }
  } catch (const nlohmann::json::exception& exception) {
    return malformed(exception.what());
  }
  const auto fit = assay::fit_cost(points);
  if (!fit) return assay::failure(fit.error().kind, "'" + file + "': " + fit.error().message);
  const assay::CostFit& found = fit.value();
  const auto interval = [](const assay::FittedNumber& number, double factor) {
    return assay::number_text(number.estimate * factor) + " (" + assay::number_text(number.lower * factor) + " to " +
           assay::number_text(number.upper * factor) + ")";
  };
  return Basis{found.topology(found.most_ranks), assay::range_of(found),
               "fitted to " + std::to_string(points.size()) + " points of '" + file + "': launch " +
                   interval(found.launch_seconds, 1e6) + " us, message " + interval(found.latency_seconds, 1e6) +
                   " us, byte " + interval(found.seconds_per_byte, 1e9) + " ns, byte reduced " +
                   interval(found.seconds_per_byte_reduced, 1e9) + " ns; median error " +
                   assay::number_text(100 * found.median_relative_error, 2) + " %"};
}

std::string csv_of(const std::vector<assay::Prediction>& predictions) {
  std::string text = "operation,algorithm,ranks,size [B],time [us],algbw [GB/s],busbw [GB/s],extrapolated\n";
  const auto figure = [](double value) { return "," + assay::detail::printed_number(value); };
  for (const assay::Prediction& one : predictions) {
    text += std::string(name_of(one.operation)) + "," + std::string(name_of(one.model)) + "," +
            std::to_string(one.ranks) + "," + assay::detail::printed_number(one.bytes, 0, std::chars_format::fixed) +
            figure(one.seconds * 1e6) + figure(one.bandwidth.algorithm / 1e9) + figure(one.bandwidth.bus / 1e9) +
            (one.extrapolated ? ",1\n" : ",0\n");
  }
  return text;
}

}  // namespace

assay::Result<void> write_collectives_json(const assay::SweepResult& result, const std::string& path) {
  return assay::write_sweep_json(result, path);
}

int predict_collectives(const CollectivesOptions& options) {
  if (!options.algorithm.empty() && !assay::cost_model_named(options.algorithm)) {
    std::vector<std::string> known;
    for (const assay::CostModel model : assay::all_cost_models) known.emplace_back(name_of(model));
    return fault(assay::unknown_name("algorithm", options.algorithm, known));
  }
  Basis basis;
  if (options.fit.empty()) {
    const auto topology = topology_named(options.topology);
    if (!topology) return fault(topology.error().message);
    basis = {topology.value(), {}, topology.value().name + ", as described"};
  } else {
    auto fitted = fitted_basis(options.fit, options.algorithm);
    if (!fitted) return fault(fitted.error().message);
    basis = std::move(fitted).value();
  }
  const assay::SweepOptions chosen = sweep_options_of(options).value();
  const auto numbers = ranks_of(options, static_cast<int>(basis.topology.ranks()));
  if (!numbers) return fault(numbers.error().message);
  const std::vector<assay::Index> ranks(numbers.value().begin(), numbers.value().end());
  const std::vector<double> sizes = sizes_of(chosen);
  std::vector<assay::Prediction> predictions =
      assay::predict_sweep(chosen.operations, sizes, ranks, basis.topology, basis.fitted);
  if (!options.algorithm.empty())
    std::erase_if(predictions, [&](const assay::Prediction& one) { return name_of(one.model) != options.algorithm; });
  std::printf("# %s\n", basis.text.c_str());
  assay::Table table{
      "", {"operation", "ranks", "size", "algorithm", "time (us)", "algbw (GB/s)", "busbw (GB/s)", ""}, {}};
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const assay::Prediction& one = predictions[i];
    bool fastest = true;
    for (const assay::Prediction& other : predictions)
      fastest = fastest && (other.operation != one.operation || other.ranks != one.ranks || other.bytes != one.bytes ||
                            other.seconds >= one.seconds);
    table.rows.push_back({std::string(name_of(one.operation)), std::to_string(one.ranks), assay::number_text(one.bytes),
                          std::string(name_of(one.model)), assay::number_text(one.seconds * 1e6, 4),
                          assay::number_text(one.bandwidth.algorithm / 1e9, 4),
                          assay::number_text(one.bandwidth.bus / 1e9, 4),
                          std::string(fastest ? "fastest" : "") +
                              (one.extrapolated ? (fastest ? ", extrapolated" : "extrapolated") : "")});
  }
  print_table(table);
  if (!options.csv.empty())
    if (const auto written = assay::write_file(options.csv, csv_of(predictions)); !written)
      return fault(written.error().message);
  return predictions.empty() ? 2 : 0;
}

}  // namespace assay_program
