#pragma once

#include "assay/frameworks/cases/opset_agreement.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"

namespace assay::inline v0 {

namespace detail {

/// The change between two versions, from the older one on.
[[nodiscard]] inline const OpsetChange* change_between(const GraphNode& node, std::int64_t older, std::int64_t newer) {
  const auto is_meant = [&](const OpsetChange& change) {
    return change.attribute == nullptr ||
           std::any_of(node.attributes.begin(), node.attributes.end(),
                       [&](const GraphAttribute& own) { return own.name == change.attribute && own.integer != 0; });
  };
  for (const OpsetChange& change : documented_opset_changes())
    if (node.operation == change.operation && older < change.version && change.version <= newer && is_meant(change))
      return &change;
  return nullptr;
}

/// Whether outputs differ by no more than ONNX's tolerance.
[[nodiscard]] inline bool near_outputs(const OnnxCase& own, const GraphRun& a, const GraphRun& b) {
  return std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                    [&](const GraphTensor& x, const GraphTensor& y) {
                      return element_format_of(y.type) && onnx_mismatch(x, y, own.relative, own.absolute).empty();
                    });
}

[[nodiscard]] inline bool same_outputs(const GraphRun& a, const GraphRun& b) {
  return std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                    [](const GraphTensor& x, const GraphTensor& y) {
                      return x.type == y.type && x.extents == y.extents && x.bytes == y.bytes;
                    });
}

/// Numbers of versions with neighbors joined: "7–12, 14".
[[nodiscard]] inline std::string versions_text(std::vector<std::int64_t> versions) {
  std::sort(versions.begin(), versions.end());
  std::string text;
  for (std::size_t i = 0; i < versions.size();) {
    std::size_t last = i;
    while (last + 1 < versions.size() && versions[last + 1] == versions[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(versions[i]);
    if (last > i) text += "–" + std::to_string(versions[last]);
    i = last + 1;
  }
  return text;
}

[[nodiscard]] inline bool draws_at_random(const GraphModel& model) {
  return std::any_of(model.graph.nodes.begin(), model.graph.nodes.end(), [](const GraphNode& node) {
    return node.operation.rfind("Random", 0) == 0 || node.operation == "Bernoulli" || node.operation == "Multinomial" ||
           node.operation == "Dropout";
  });
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE const std::vector<OpsetChange>& documented_opset_changes() {
  static const std::vector<OpsetChange> all{
      {"Softmax", 13, "along one axis; before, over all from the axis on, as a matrix"},
      {"LogSoftmax", 13, "along one axis; before, over all from the axis on, as a matrix"},
      {"Hardmax", 13, "along one axis; before, over all from the axis on, as a matrix"},
      {"Resize", 11, "coordinates are half_pixel; before, asymmetric"},
      {"Upsample", 9, "scales are an input; before, an attribute"},
      {"BatchNormalization", 9, "statistics are of channels; before, of activations where spatial is 0"},
      {"AveragePool", 19, "windows that ceil_mode adds count what they cover", "ceil_mode"},
      {"Cast", 19, "casts to 8-bit floats saturate unless told not to"},
      {"GroupNormalization", 21, "scale and bias are of channels; before, of groups"},
      {"QuantizeLinear", 19, "8-bit floats saturate unless told not to"}};
  return all;
}

ASSAY_DETAIL_HEADER_INLINE Outcome compare_opsets(const OnnxCase& own, const std::string& backend,
                                                  const ExecutionMode& mode, const RunProgram& run,
                                                  std::int64_t oldest) {
  Outcome outcome;
  const std::string operation = own.operation();
  outcome.id = "opset/" + backend + "/" + operation + "/" + own.name;
  outcome.labels = {
      {"operation", operation}, {"backend", backend}, {"data", own.name}, {"opset", std::to_string(own.opset())}};
  const auto end = [&](Verdict verdict, std::string reason) {
    outcome.verdict = verdict;
    outcome.reason = std::move(reason);
    return outcome;
  };
  if (own.read.graph.nodes.size() != 1) return end(Verdict::inconclusive, "it has several nodes, not one");
  if (!own.not_compared.empty()) return end(Verdict::inconclusive, "not compared: " + own.not_compared);
  if (own.data.empty()) return end(Verdict::inconclusive, "it has no data");
  if (detail::draws_at_random(own.read)) return end(Verdict::inconclusive, "its output is drawn at random");
  const auto run_in = [&](std::int64_t version) {
    GraphModel model = own.read;
    model.opsets[own.read.opsets.count("") > 0 ? "" : "ai.onnx"] = version;
    return run({write_onnx_model(model), mode}, own.data[0].inputs);
  };
  const auto newest = run_in(own.opset());
  if (!newest)
    return end(newest.error().kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error,
               newest.error().message);
  std::vector<std::int64_t> same, rounded, changed, undocumented, refused;
  std::string named;
  for (std::int64_t version = oldest; version < own.opset(); ++version) {
    const auto older = run_in(version);
    if (!older) {
      refused.push_back(version);
      continue;
    }
    if (detail::same_outputs(older.value(), newest.value())) {
      same.push_back(version);
      continue;
    }
    const OpsetChange* const change = detail::change_between(own.read.graph.nodes[0], version, own.opset());
    const bool near = change == nullptr && detail::near_outputs(own, older.value(), newest.value());
    (change != nullptr ? changed : near ? rounded : undocumented).push_back(version);
    if (change != nullptr) named = change->what + std::string(" (since ") + std::to_string(change->version) + ")";
  }
  const auto tell = [&](const char* what, const std::vector<std::int64_t>& versions) {
    if (!versions.empty()) outcome.derivation.push_back(what + detail::versions_text(versions));
  };
  tell("the same bits: ", same);
  tell("other bits within ONNX's tolerance: ", rounded);
  tell("other numbers, documented: ", changed);
  tell("other numbers: ", undocumented);
  tell("refused: ", refused);
  outcome.measure("versions_same", static_cast<double>(same.size()));
  outcome.measure("versions_rounded", static_cast<double>(rounded.size()));
  outcome.measure("versions_changed", static_cast<double>(changed.size()));
  outcome.measure("versions_refused", static_cast<double>(refused.size()));
  if (!named.empty()) outcome.diagnosis.push_back("documented: " + named);
  if (!rounded.empty())
    outcome.diagnosis.push_back("version " + detail::versions_text(rounded) + " rounds otherwise than version " +
                                std::to_string(own.opset()) + ", within ONNX's tolerance");
  if (!undocumented.empty())
    return end(Verdict::fail, "version " + detail::versions_text(undocumented) + " gives other numbers than version " +
                                  std::to_string(own.opset()) + ", and ONNX documents no change of meaning");
  if (same.empty() && rounded.empty() && changed.empty())
    return end(Verdict::inconclusive, "no older version takes this node");
  return end(Verdict::pass, "");
}

}  // namespace assay::inline v0
