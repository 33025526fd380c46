#pragma once

#include "assay/gpgpu/detail/problem_names.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/report/read_file.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE ProblemNames::ProblemNames(const PluginRequest& request) {
  for (const PluginAttribute& attribute : request.attributes)
    set(attribute.name, attribute.kind == PluginAttributeKind::integer ? ExpressionValue::of(attribute.integer)
                        : attribute.kind == PluginAttributeKind::real  ? ExpressionValue::of(attribute.real)
                                                                       : ExpressionValue::of(attribute.text));
  for (const PluginTensor& tensor : request.tensors) {
    const Operand& operand = tensor.operand;
    const auto told = [&](const std::string& what, Index value) {
      set(tensor.name + "." + what, ExpressionValue::of(static_cast<std::int64_t>(value)));
    };
    told("present", operand.present() ? 1 : 0);
    told("rank", operand.present() ? operand.rank : 0);
    told("elements", operand.size());
    told("bytes", tensor.format.bytes);
    told("offset", 0);
    set(tensor.name + ".format", ExpressionValue::of(std::string(tensor.format.name)));
    for (int d = 0; d < Operand::most_dimensions; ++d) {
      told("extent[" + std::to_string(d) + "]", d < operand.rank ? operand.extents[d] : 1);
      told("stride[" + std::to_string(d) + "]", d < operand.rank ? operand.strides[d] : 0);
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE ExpressionNames ProblemNames::names() const {
  return {[this](std::string_view name) {
            const auto found = values_.find(name);
            return found == values_.end() ? nullptr : &found->second;
          },
          [this] {
            std::vector<std::string> all;
            for (const auto& [name, value] : values_) all.push_back(name);
            return all;
          }};
}

ASSAY_DETAIL_HEADER_INLINE Result<std::size_t> operand_named(const PluginRequest& request,
                                                             const KernelArgument& argument) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < request.tensors.size(); ++i) {
    if (request.tensors[i].name == argument.name) return i;
    known.push_back(request.tensors[i].name);
  }
  return failure(ErrorKind::invalid, argument.place.text() + ": " + unknown_name("operand", argument.name, known));
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<unsigned char>> scalar_bytes(const KernelArgument& argument,
                                                                           const ExpressionNames& names) {
  const auto value = argument.value.evaluate(names);
  if (!value) return value.propagate();
  const ExpressionValue& told = value.value();
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::invalid,
                   argument.value.place.text() + ": '" + argument.value.expression.text() + "' " + why);
  };
  if (told.kind == ExpressionValue::Kind::text) return refused("is a text, and no " + argument.name);
  std::vector<unsigned char> bytes;
  const auto put = [&]<class T>(T number) {
    bytes.resize(sizeof number);
    std::memcpy(bytes.data(), &number, sizeof number);
  };
  if (argument.name == "float" || argument.name == "double") {
    if (argument.name == "double")
      put(told.real);
    else
      put(static_cast<float>(told.real));
    return bytes;
  }
  if (told.kind != ExpressionValue::Kind::integer) return refused("is no integer, and no " + argument.name);
  const std::int64_t number = told.integer;
  const bool is_signed = argument.name == "int" || argument.name == "long",
             wide = argument.name.find("long") != std::string::npos;
  const std::int64_t least = !is_signed ? 0 : wide ? INT64_MIN : INT32_MIN;
  const std::int64_t most = wide ? INT64_MAX : is_signed ? INT32_MAX : std::int64_t{UINT32_MAX};
  if (number < least || number > most)
    return refused("is " + std::to_string(number) + ", which " + argument.name + " does not hold");
  if (wide)
    put(number);
  else
    put(static_cast<std::uint32_t>(number));
  return bytes;
}

ASSAY_DETAIL_HEADER_INLINE Result<const DescribedKernel*> kernel_for(const KernelFile& file,
                                                                     const PluginRequest& request,
                                                                     const ExpressionNames& names) {
  std::string refusals;
  for (const DescribedKernel& kernel : file.kernels) {
    if (kernel.operation != request.operation) continue;
    bool fits = false;
    for (const std::string& glob : kernel.formats) fits = fits || glob_matches(glob, request.formats);
    if (!fits) continue;
    const PlacedExpression* missed = nullptr;
    for (const PlacedExpression& requirement : kernel.requirements) {
      const auto value = requirement.evaluate(names);
      if (!value) return value.propagate();
      if (value.value().kind == ExpressionValue::Kind::text)
        return failure(ErrorKind::invalid, requirement.place.text() + ": a requirement is a text");
      if (value.value().real == 0 && missed == nullptr) missed = &requirement;
    }
    if (missed == nullptr) return &kernel;
    refusals += (refusals.empty() ? "" : "; ") + kernel.entry + " requires " + missed->expression.text();
  }
  return failure(ErrorKind::unsupported, refusals.empty() ? "no kernel of " + file.path.filename().string() +
                                                                " takes " + request.operation + " of " + request.formats
                                                          : refusals);
}

ASSAY_DETAIL_HEADER_INLINE Result<const std::string*> source_of(const DescribedKernel& kernel,
                                                                std::map<std::string, std::string>& sources,
                                                                const char* what) {
  std::string& source = sources[kernel.file.string()];
  if (source.empty()) {
    auto read = read_file(kernel.file, what);
    if (!read) return read.propagate();
    source = std::move(read).value();
  }
  return &source;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::array<std::uint32_t, 3>> groups_of(const DescribedKernel& kernel,
                                                                          const ExpressionNames& names,
                                                                          const std::array<std::size_t, 3>& most) {
  std::array<std::uint32_t, 3> groups{1, 1, 1};
  for (std::size_t d = 0; d < kernel.global.size(); ++d) {
    const auto value = kernel.global[d].integer(names, 0);
    if (!value) return value.propagate();
    if (static_cast<std::uint64_t>(value.value()) > most[d])
      return failure(ErrorKind::unsupported, std::to_string(value.value()) +
                                                 " groups are asked for, and the device has " +
                                                 std::to_string(most[d]) + " in that dimension");
    groups[d] = static_cast<std::uint32_t>(value.value());
  }
  return groups;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check_offset_is_used(const DescribedKernel& kernel,
                                                             const KernelArgument& argument, std::int64_t behind,
                                                             std::size_t alignment) {
  if (behind == 0 || kernel.uses(argument.name + ".offset")) return {};
  return failure(ErrorKind::unsupported, argument.name + " begins " + std::to_string(behind) +
                                             " bytes behind a boundary of " + std::to_string(alignment) + ", and " +
                                             kernel.entry + " is not told " + argument.name + ".offset");
}

ASSAY_DETAIL_HEADER_INLINE std::vector<PluginFunction> functions_of(
    const KernelFile& file, const std::function<Result<void>(const PluginRequest&)>& launch) {
  std::vector<PluginFunction> functions;
  for (const DescribedKernel& kernel : file.kernels) {
    PluginFunction* function = nullptr;
    for (PluginFunction& other : functions)
      if (other.operation == kernel.operation) function = &other;
    if (function == nullptr) {
      functions.push_back(
          {kernel.operation, {}, kernel.accumulator, kernel.function_errors, kernel.promises, kernel.contract, launch});
      function = &functions.back();
    }
    function->formats.insert(function->formats.end(), kernel.formats.begin(), kernel.formats.end());
  }
  return functions;
}

}  // namespace assay::inline v0::detail
