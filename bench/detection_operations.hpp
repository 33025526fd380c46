#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "assay/faults/attention_faults.hpp"
#include "assay/faults/convolution_faults.hpp"
#include "assay/faults/normalization_faults.hpp"
#include "assay/faults/operation_kernels.hpp"
#include "assay/faults/quantize_kernels.hpp"
#include "assay/faults/softmax_faults.hpp"
#include "detection_gemm.hpp"
#include "detection_rules.hpp"

/// A sample of the other operations: their default suites, judged by every rule.
namespace detection {

struct OperationRow {
  std::string operation;
  std::size_t faults = 0, invisible = 0, assay_caught = 0;
  Rate assay_alarms;
  std::array<std::size_t, rules.size()> caught_plain{}, caught{};  ///< faults: on normal and uniform data, on all
  std::array<Rate, rules.size()> alarms;
  std::vector<std::string> missed;
};

/// What each rule says of one output of the default suite; the twin is the reference itself, rounded once more from
/// bfloat16 outputs up.
inline std::array<bool, rules.size()> judgments(const ObservedLaunch& launch) {
  std::array<bool, rules.size()> accused{};
  for (const LaunchOutput& output : launch.outputs) {
    if (output.expected.empty() || !output.format.is_float()) continue;
    std::vector<double> reference, twin;
    for (const ExpectedElement& expected : output.expected) {
      reference.push_back(output.format.round(expected.value));
      twin.push_back(output.format.round(
          expected.value * (1 + 2 * output.format.unit_roundoff())));  // off by an ulp, as another right kernel may be
    }
    const Judged judged{output.format, 0x1p-24, static_cast<double>(output.columns), output.computed, reference, twin};
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
      accused[rule] = accused[rule] || rules[rule].accuses(judged);
  }
  return accused;
}

/// The part of a case's id behind the kernel's name: the same for all kernels of an operation.
inline std::string data_of(const ObservedLaunch& launch) {
  return launch.labels.at("formats") + "/" + launch.labels.at("shape") + "/" + launch.labels.at("data");
}

/// Runs all kernels of one operation.
inline OperationRow operation_row(const FaultCorpus& corpus, std::uint64_t seed) {
  OperationRow row;
  CorpusRun how;
  how.seed = seed;
  how.most_cases = 60;
  std::array<std::set<std::string>, rules.size()> useless;  // data on which a rule accuses a right kernel
  for (const CorpusKernel& kernel : corpus.kernels()) {
    row.operation = kernel.operation;
    if (kernel.launches > how.most_launches) continue;
    const CorpusVerdict verdict = validate(kernel, how);
    if (!kernel.fault) {
      row.assay_alarms.total += verdict.validations;
      row.assay_alarms.accused += verdict.accused ? 1 : 0;
    } else {
      ++row.faults;
      row.invisible += kernel.invisible_because.empty() ? 0 : 1;
      row.assay_caught += verdict.accused ? 1 : 0;
      if (!verdict.as_it_should()) row.missed.push_back(kernel.id());
    }
    std::fprintf(stderr, "\r%-60s", kernel.id().c_str());
    const bool narrow =
        kernel.name.rfind("in_", 0) == 0;  // promises less than the formats: tools have no way to be told
    if (!kernel.observe || narrow || !kernel.invisible_because.empty()) continue;
    std::array<bool, rules.size()> plain{}, any{};
    (void)kernel.observe(how, [&](const ObservedLaunch& launch) {
      const auto accused = judgments(launch);
      const std::string& data = launch.labels.at("data");
      for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        if (!kernel.fault) {
          row.alarms[rule].add(accused[rule]);
          if (accused[rule]) useless[rule].insert(data_of(launch));
        } else if (accused[rule] && useless[rule].count(data_of(launch)) == 0) {
          any[rule] = true;
          plain[rule] = plain[rule] || data == "normal" || data == "uniform";
        }
      }
      return false;
    });
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
      row.caught_plain[rule] += plain[rule] ? 1 : 0, row.caught[rule] += any[rule] ? 1 : 0;
  }
  return row;
}

inline std::vector<OperationRow> operation_rows(std::uint64_t seed) {
  const Host host(1);
  std::vector<OperationRow> rows;
  const auto add = [&](auto fill) {
    FaultCorpus corpus;
    fill(corpus);
    rows.push_back(operation_row(corpus, seed));
  };
  add([&](FaultCorpus& corpus) { add_operation_kernels<Softmax>(corpus, host); });
  add([&](FaultCorpus& corpus) { add_operation_kernels<Normalization>(corpus, host); });
  add([&](FaultCorpus& corpus) { add_operation_kernels<Attention>(corpus, host); });
  add([&](FaultCorpus& corpus) { add_operation_kernels<Convolution>(corpus, host); });
  FaultCorpus quantizers;
  add_quantize_kernels(quantizers, host);
  rows.push_back(
      operation_row(quantizers.where([](const CorpusKernel& kernel) { return kernel.operation == "quantize"; }), seed));
  rows.push_back(operation_row(
      quantizers.where([](const CorpusKernel& kernel) { return kernel.operation == "dequantize"; }), seed));
  std::fprintf(stderr, "\n");
  return rows;
}

}  // namespace detection
