#pragma once

#include "assay/faults/quantize_kernels.hpp"

#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void add_quantize_kernels(FaultCorpus& corpus, Host host) {
  const auto add = [&](const std::string& operation, std::string name, std::optional<Fault> fault, auto suite) {
    CorpusKernel kernel;
    kernel.operation = operation;
    kernel.name = std::move(name);
    if (fault) kernel.invisible_because = proof_of_invisibility(operation, fault->name);
    kernel.fault = std::move(fault);
    for (const BlockScaling& scheme : all_block_schemes) kernel.formats.emplace_back(scheme.name);
    kernel.suite = std::move(suite);
    corpus.add(std::move(kernel));
  };
  const auto quantizer = [&](std::string name, QuantizeVariant variant, std::optional<Fault> fault) {
    const auto subject = emulated_quantize_subject<float32>(variant, fault ? std::optional(fault->name) : std::nullopt);
    add("quantize", std::move(name), std::move(fault), [host, subject] {
      Suite suite;
      add_quantize_cases<float32>(suite, host, subject);
      return suite;
    });
  };
  const auto dequantizer = [&](std::string name, QuantizeVariant variant, std::optional<Fault> fault) {
    const auto subject =
        emulated_dequantize_subject<float32>(variant, fault ? std::optional(fault->name) : std::nullopt);
    add("dequantize", std::move(name), std::move(fault), [host, subject] {
      Suite suite;
      add_dequantize_cases<float32>(suite, host, subject);
      return suite;
    });
  };
  for (const QuantizeVariant variant : all_quantize_variants) {
    quantizer(std::string(name_of(variant)), variant, std::nullopt);
    dequantizer(std::string(name_of(variant)), variant, std::nullopt);
  }
  for (const Fault& fault : quantize_faults()) {
    if (fault.fits("quantize")) quantizer(fault.name, QuantizeVariant::divide, fault);
    if (fault.fits("dequantize")) dequantizer(fault.name, QuantizeVariant::divide, fault);
  }
}

}  // namespace assay::inline v0
