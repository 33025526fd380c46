#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/fleet/capacity/fit_model.hpp"
#include "assay/fleet/capacity/training_memory.hpp"
#include "assay/fleet/capacity/weight_count.hpp"
#include "assay/fleet/capacity/weight_index.hpp"
#include "assay/fleet/figure_page.hpp"
#include "assay/report/json.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "chips.hpp"
#include "fault.hpp"
#include "fleet_options.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

std::string gigabytes(double bytes) {
  return assay::number_text(bytes / 1e9, 4) + " GB";
}

void print_weights(const assay::ModelConfig& config) {
  const assay::WeightCount count = assay::count_weights(config.model);
  std::printf("%s (%s): %s parameters, of which a token passes %s\n", config.model.name.c_str(),
              config.model_type.c_str(), assay::number_text(count.total()).c_str(),
              assay::number_text(count.active).c_str());
  assay::Table table{"Parameters", {"part", "parameters", "share"}, {}};
  const std::pair<const char*, double> parts[] = {
      {"embedding", count.embedding}, {"attention", count.attention}, {"feed-forward", count.feed_forward},
      {"experts", count.experts},     {"router", count.router},       {"normalization", count.normalization},
      {"output", count.output}};
  for (const auto& [name, parameters] : parts)
    if (parameters > 0)
      table.rows.push_back(
          {name, assay::number_text(parameters), assay::number_text(100 * parameters / count.total(), 3) + " %"});
  print_table(table);
  for (const std::string& note : config.notes) std::printf("note: %s\n", note.c_str());
}

/// Where weights lie to hold the count against; nothing where none do and none were named.
std::optional<assay::Result<assay::WeightIndex>> index_of(const CapacityOptions& options) {
  if (!options.index.empty()) return assay::read_weight_index(options.index);
  std::filesystem::path folder(options.config);
  std::error_code code;
  if (!std::filesystem::is_directory(folder, code)) folder = folder.parent_path();
  for (const char* name : {"model.safetensors.index.json", "model.safetensors"})
    if (std::filesystem::exists(folder / name, code)) return assay::read_weight_index(folder / name);
  return std::nullopt;
}

int serving(const CapacityOptions& options, const assay::ModelConfig& config, const assay::InferencePlan& plan) {
  const auto catalog = catalog_with(options.chip_files);
  if (!catalog) return fault(catalog.error().message);
  auto chosen = chips_named(catalog.value(), options.chips);
  if (!chosen) return fault(chosen.error().message);
  const bool all = chosen.value().empty();
  if (all)
    for (const assay::Chip& chip : catalog.value().chips())
      if (chip.memory_bytes) chosen.value().push_back(chip);
  std::vector<assay::ModelFit> fits;
  for (const assay::Chip& chip : chosen.value()) {
    auto fit = assay::fit_model(config.model, plan, chip);
    if (!fit) return fault(fit.error().message);
    fits.push_back(std::move(fit).value());
  }
  assay::KvCachePolicy policy = plan.cache;
  policy.tensor_parallel = plan.tensor;
  std::printf("\ncache: %s a token and rank; a sequence of %lld tokens keeps %s\n",
              (assay::number_text(assay::kv_bytes_per_token(config.model, policy)) + " B").c_str(),
              static_cast<long long>(plan.tokens),
              gigabytes(assay::kv_cache(config.model, 1, plan.tokens, policy).total()).c_str());
  print_table(assay::fit_table(fits, plan.tokens));
  bool any = false;
  for (const assay::ModelFit& fit : fits) any = any || fit.sequences > 0;
  for (const std::string& assumption : fits.front().assumptions) std::printf("assumed: %s\n", assumption.c_str());
  if (!options.html.empty()) {
    std::vector<assay::Bar> bars;
    for (const assay::ModelFit& fit : fits) {
      const double kept = fit.sequence * static_cast<double>(std::max<assay::Index>(fit.sequences, 1));
      bars.push_back({fit.chip + (fit.devices > 1 ? ", one of " + std::to_string(fit.devices) : std::string()),
                      {{"weights", fit.weights / 1e9}, {"overhead", fit.overhead / 1e9}, {"sequences", kept / 1e9}},
                      fit.memory / 1e9});
    }
    const std::string title = config.model.name + ": sequences of " + std::to_string(plan.tokens) + " tokens";
    const std::string picture =
        assay::bar_svg("Memory of a device, as many sequences as fit; red: what there is", "GB", bars);
    if (const auto written = assay::write_file(
            options.html,
            assay::figure_page(title, picture, {assay::fit_table(fits, plan.tokens)}, fits.front().assumptions));
        !written)
      return fault(written.error().message);
  }
  if (!any) std::printf("It fits on none of them: more ranks (--tensor, --pipeline) or smaller weights are needed.\n");
  return any ? 0 : 1;
}

int training(const CapacityOptions& options, const assay::ModelConfig& config) {
  assay::ActivationPlan plan;
  plan.sequence = options.sequence;
  plan.micro_batch = options.micro_batch;
  plan.micro_batches = options.micro_batches;
  plan.tensor = options.tensor;
  plan.pipeline = options.pipeline;
  const std::vector<std::string> words{"none", "selective", "full"};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == options.recompute) plan.recomputation = static_cast<assay::Recomputation>(i);
  std::vector<assay::StatePartitioning> shardings(assay::all_state_partitionings.begin(),
                                                  assay::all_state_partitionings.end());
  if (options.training != "all") {
    const auto sharding = assay::state_partitioning_named(options.training);
    if (!sharding) return fault(sharding.error().message);
    shardings = {sharding.value()};
  }
  const assay::WeightCount count = assay::count_weights(config.model);
  const double ranks = static_cast<double>(options.tensor * options.pipeline), parameters = count.total() / ranks,
               layer = (count.attention + count.feed_forward + count.experts) /
                       static_cast<double>(config.model.layers) / static_cast<double>(options.tensor);
  const double activations = assay::activation_bytes(config.model, plan);
  assay::Table table{"Training", {"sharding", "bytes", "states GB", "activations GB", "together GB"}, {}};
  std::vector<assay::Bar> bars;
  for (const assay::StatePartitioning sharding : shardings) {
    const double states = assay::state_bytes(sharding, parameters, options.data_parallel, layer);
    const auto cell = [](double bytes) { return assay::number_text(bytes / 1e9, 4); };
    table.rows.push_back({std::string(name_of(sharding)), std::string(formula_of(sharding)), cell(states),
                          cell(activations), cell(states + activations)});
    bars.push_back({std::string(name_of(sharding)), {{"states", states / 1e9}, {"activations", activations / 1e9}}});
  }
  std::printf("\n");
  print_table(table);
  if (!options.html.empty()) {
    const auto written = assay::write_file(
        options.html,
        assay::figure_page("Training of " + config.model.name,
                           assay::bar_svg("Memory of a rank by who keeps what", "GB", bars), {table},
                           {"Parameters in 16 bits, Adam in 32; activations with recomputation " + options.recompute}));
    if (!written) return fault(written.error().message);
  }
  std::printf(
      "assumed: N = %s parameters a rank, spread evenly over %lld tensor and %lld pipeline ranks; D = %lld "
      "data-parallel ranks; 16-bit parameters, Adam in 32 bits\n"
      "assumed: activations of %lld x %lld tokens a micro-batch, sequence parallel, recomputation %s, as many "
      "micro-batches in flight as stages\n",
      assay::number_text(parameters).c_str(), static_cast<long long>(options.tensor),
      static_cast<long long>(options.pipeline), static_cast<long long>(options.data_parallel),
      static_cast<long long>(options.micro_batch), static_cast<long long>(options.sequence), options.recompute.c_str());
  return 0;
}

}  // namespace

int capacity(const CapacityOptions& options, const std::string& command) {
  for (const std::int64_t count : {options.tensor, options.pipeline, options.data_parallel, options.sequence,
                                   options.micro_batch, options.micro_batches, options.tokens, options.block})
    if (count < 1 || count > (std::int64_t{1} << 40))
      return fault("numbers of ranks, tokens and sequences are from 1 to 2^40");
  if (options.recompute != "none" && options.recompute != "selective" && options.recompute != "full")
    return fault(assay::unknown_name("recomputation", options.recompute, {"none", "selective", "full"}));
  const auto config = assay::read_model_config(options.config, options.as);
  if (!config) return fault(config.error().message);
  const auto index = index_of(options);
  if (index && !*index) return fault(index->error().message);
  if (!index && !options.report.empty())
    return fault("--report tells whether weights agree, and there are none beside the configuration; give --index");
  print_weights(config.value());
  int code = 0;
  if (index) {
    const assay::Outcome outcome = assay::check_weights(config.value(), index->value());
    std::printf("weights of '%s': %s%s%s\n", index->value().file.c_str(), std::string(name_of(outcome.verdict)).c_str(),
                outcome.reason.empty() ? "" : ": ", outcome.reason.c_str());
    const bool asked = !options.index.empty() || !options.report.empty();
    if (outcome.verdict == assay::Verdict::fail)
      code = 1;
    else if (outcome.verdict != assay::Verdict::pass && asked)
      code = 2;
    if (!options.report.empty()) {
      assay::Run run;
      run.title = "Capacity of " + config.value().model.name;
      run.command = command;
      run.environment = assay::detect_environment();
      run.planned_cases = 1;
      run.outcomes = {outcome};
      if (const auto written = assay::write_json(run, options.report); !written) return fault(written.error().message);
    }
  }
  if (!options.training.empty()) {
    if (const int trained = training(options, config.value()); trained != 0) return trained;
    return code;
  }
  assay::InferencePlan plan;
  const std::string stored = options.weights.empty() ? config.value().stored : options.weights;
  const auto weights = assay::storage_format_named(stored), cache = assay::storage_format_named(options.cache);
  if (!weights)
    return fault(options.weights.empty() ? "the configuration does not say how weights are stored ('" + stored +
                                               "' is no format that we know); give --weights"
                                         : "--weights: " + weights.error().message);
  if (!cache) return fault("--cache: " + cache.error().message);
  plan.weights = weights.value();
  plan.cache.key_bytes = plan.cache.value_bytes = cache.value().bytes;
  plan.cache.block = options.block;
  plan.cache.windows = !options.plain_cache;
  plan.tensor = options.tensor;
  plan.pipeline = options.pipeline;
  plan.experts = options.experts;
  plan.tokens = options.tokens;
  plan.memory_share = options.memory_share;
  plan.overhead_bytes = options.overhead_gb * 1e9;
  const int fits = serving(options, config.value(), plan);
  return fits != 0 ? fits : code;
}

}  // namespace assay_program
