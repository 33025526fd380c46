#pragma once

#include "assay/fleet/capacity/weight_index.hpp"

#include <cmath>
#include <system_error>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/fleet/capacity/storage_format.hpp"
#include "assay/fleet/capacity/weight_count.hpp"
#include "assay/io/safetensors.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<WeightIndex> read_weight_index(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    for (const char* name : {"model.safetensors.index.json", "model.safetensors"})
      if (std::filesystem::exists(path / name, code)) return read_weight_index(path / name);
    return failure(ErrorKind::not_found,
                   "'" + path.string() + "' holds neither model.safetensors.index.json nor model.safetensors");
  }
  WeightIndex index;
  index.file = path.string();
  if (path.extension() == ".safetensors") {
    const auto opened = open_safetensors(path);
    if (!opened) return opened.propagate();
    for (const SafetensorsEntry& entry : opened.value().entries()) {
      index.bytes += static_cast<double>(entry.byte_count());
      index.parameters += static_cast<double>(entry.element_count());
      ++index.tensors;
    }
    return index;
  }
  const auto text = read_file(path, "an index of safetensors");
  if (!text) return text.propagate();
  const auto json = nlohmann::json::parse(text.value(), nullptr, false);
  const auto malformed = [&](const std::string& what) {
    return failure(ErrorKind::malformed, "'" + path.string() + "' is no index of safetensors: " + what);
  };
  if (!json.is_object() || !json.contains("metadata") || !json["metadata"].is_object() ||
      !json["metadata"].contains("total_size") || !json["metadata"]["total_size"].is_number())
    return malformed("it has no number metadata.total_size");
  if (!json.contains("weight_map") || !json["weight_map"].is_object()) return malformed("it has no weight_map");
  index.bytes = json["metadata"]["total_size"].get<double>();
  if (json["metadata"].contains("total_parameters") && json["metadata"]["total_parameters"].is_number())
    index.parameters = json["metadata"]["total_parameters"].get<double>();
  index.tensors = static_cast<Index>(json["weight_map"].size());
  if (!(index.bytes > 0)) return malformed("metadata.total_size is not above 0");
  return index;
}

ASSAY_DETAIL_HEADER_INLINE Outcome check_weights(const ModelConfig& config, const WeightIndex& index) {
  Outcome outcome;
  outcome.id = "capacity/weights/" + (config.model.name.empty() ? config.model_type : config.model.name);
  const double counted = count_weights(config.model).total();
  outcome.measure("counted_parameters", counted);
  outcome.measure("stored_bytes", index.bytes, "B");
  double found = index.parameters;
  if (found <= 0) {
    const auto format = storage_format_named(config.stored);
    if (!format) {
      outcome.verdict = Verdict::inconclusive;
      outcome.reason = "the index tells bytes alone, and the configuration stores weights as '" +
                       visible(config.stored) + "': how many they are cannot be said";
      return outcome;
    }
    found = index.bytes / format.value().bytes;
  }
  outcome.measure("stored_parameters", found);
  const std::string numbers =
      number_text(counted) + " parameters by the configuration, " + number_text(found) + " by '" + index.file + "'";
  if (std::abs(found - counted) <= counted * 1e-4) {
    outcome.verdict = Verdict::pass;
    outcome.derivation.push_back(numbers);
  } else if (!config.notes.empty()) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = numbers + "; not all is counted: " + config.notes.front();
  } else {
    outcome.verdict = Verdict::fail;
    outcome.reason = numbers + ": they are not of one model, or it has parts that the count does not know";
  }
  return outcome;
}

}  // namespace assay::inline v0
