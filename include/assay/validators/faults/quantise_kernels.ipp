#pragma once

#include "assay/validators/faults/quantise_kernels.hpp"

#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void add_quantise_kernels(FaultCorpus& corpus, Host host) {
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
  const auto quantiser = [&](std::string name, QuantiseVariant variant, std::optional<Fault> fault) {
    const auto subject = emulated_quantise_subject<float32>(variant, fault ? std::optional(fault->name) : std::nullopt);
    add("quantise", std::move(name), std::move(fault), [host, subject] {
      Suite suite;
      add_quantise_cases<float32>(suite, host, subject);
      return suite;
    });
  };
  const auto dequantiser = [&](std::string name, QuantiseVariant variant, std::optional<Fault> fault) {
    const auto subject = emulated_dequantise_subject<float32>(variant, fault ? std::optional(fault->name) : std::nullopt);
    add("dequantise", std::move(name), std::move(fault), [host, subject] {
      Suite suite;
      add_dequantise_cases<float32>(suite, host, subject);
      return suite;
    });
  };
  for (const QuantiseVariant variant : all_quantise_variants) {
    quantiser(std::string(name_of(variant)), variant, std::nullopt);
    dequantiser(std::string(name_of(variant)), variant, std::nullopt);
  }
  for (const Fault& fault : quantise_faults()) {
    if (fault.fits("quantise")) quantiser(fault.name, QuantiseVariant::divide, fault);
    if (fault.fits("dequantise")) dequantiser(fault.name, QuantiseVariant::divide, fault);
  }
}

}  // namespace assay::inline v0
