#pragma once

#include "assay/tolerance/unit_promise.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/core/enum_name.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/formats/format_list.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool sums_products(std::string_view operation) {
  for (const std::string_view part : {"gemm", "convolution", "attention"})
    if (operation.find(part) != std::string_view::npos) return true;
  return false;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool promises_flushing(UnitProperty property) {
  return property == UnitProperty::flush_subnormals || property == UnitProperty::flush_products;
}

/// "bf16, f16"; empty where it is about all.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string formats_text(const UnitPromise& promise, const char* separator) {
  std::string text;
  for (const std::string& format : promise.formats) text += (text.empty() ? "" : separator) + format;
  return text;
}

/// As it is typed.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string typed(const UnitPromise& promise) {
  const std::string formats = formats_text(promise, ",");
  return std::string(enum_name(promise.property)) + (formats.empty() ? "" : "=" + formats);
}

/// Whether `keeps` says that what `other` promises is not so, of some kernel.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool denies(const UnitPromise& keeps, const UnitPromise& other) {
  const bool same_matter = keeps.property == UnitProperty::keep_subnormals ? promises_flushing(other.property)
                           : keeps.property == UnitProperty::keep_nan      ? other.property == UnitProperty::default_nan
                                                                           : false;
  const auto meet = [](const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; };
  if (!same_matter || !meet(keeps.backend, other.backend) || !meet(keeps.operation, other.operation)) return false;
  return keeps.formats.empty() || other.formats.empty() ||
         std::any_of(keeps.formats.begin(), keeps.formats.end(),
                     [&](const std::string& format) { return other.is_about(format); });
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool UnitPromise::is_about(std::string_view format) const {
  return formats.empty() || std::find(formats.begin(), formats.end(), format) != formats.end();
}

ASSAY_DETAIL_HEADER_INLINE bool UnitPromise::is_about(std::string_view of_operation,
                                                      std::string_view of_backend) const {
  if (!backend.empty() && backend != of_backend) return false;
  if (!operation.empty() && operation != of_operation) return false;
  return property != UnitProperty::flush_products || detail::sums_products(of_operation);
}

ASSAY_DETAIL_HEADER_INLINE std::string described(const UnitPromise& promise) {
  std::string formats = detail::formats_text(promise, ", ");
  if (!formats.empty()) formats = " of " + formats;
  const std::string by = promise.source.empty() ? "" : " (" + promise.source + ")";
  switch (promise.property) {
    case UnitProperty::flush_subnormals: return "subnormals" + formats + " are flushed" + by;
    case UnitProperty::flush_products: return "subnormals" + formats + " dot products are flushed" + by;
    case UnitProperty::default_nan: return "NaN" + formats + " lose their payloads" + by;
    case UnitProperty::keep_subnormals: return "subnormals" + formats + " are kept" + by;
    case UnitProperty::keep_nan: return "NaN" + formats + " keep their payloads" + by;
  }
  return by;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check_promises(const std::vector<UnitPromise>& promises) {
  for (const UnitPromise& keeps : promises)
    for (const UnitPromise& other : promises)
      if (detail::denies(keeps, other))
        return failure(ErrorKind::invalid, "the promises " + detail::typed(other) + " and " + detail::typed(keeps) +
                                               " contradict each other: give one of them");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<UnitPromise>> read_promises(std::string_view text,
                                                                          const std::string& source) {
  std::vector<std::string> known;
  for (int value = 0; !enum_name(static_cast<UnitProperty>(value)).empty(); ++value)
    known.emplace_back(enum_name(static_cast<UnitProperty>(value)));
  const std::vector<std::string> formats = AllFormats::names();
  const auto is_format = [&](const std::string& name) {
    return std::find(formats.begin(), formats.end(), name) != formats.end();
  };
  std::vector<UnitPromise> promises;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = text.find(',', start);
    const std::string part(text.substr(start, comma == std::string_view::npos ? comma : comma - start));
    start = comma == std::string_view::npos ? text.size() + 1 : comma + 1;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos && !promises.empty() && !promises.back().formats.empty() && is_format(part)) {
      promises.back().formats.push_back(part);
      continue;
    }
    UnitPromise promise;
    promise.source = source;
    const auto property = enum_named<UnitProperty>(part.substr(0, equals));
    if (!property)
      return failure(ErrorKind::invalid,
                     "promise '" + std::string(text) + "': " + unknown_name("property", part.substr(0, equals), known));
    promise.property = *property;
    if (equals != std::string::npos) {
      promise.formats.push_back(part.substr(equals + 1));
      if (!is_format(promise.formats.front()))
        return failure(ErrorKind::invalid, "promise '" + std::string(text) +
                                               "': " + unknown_name("format", promise.formats.front(), formats));
    }
    promises.push_back(std::move(promise));
  }
  if (const auto checked = check_promises(promises); !checked) return checked.propagate();
  return promises;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<UnitPromise> joined_promises(const std::vector<UnitPromise>& declared,
                                                                    const std::vector<UnitPromise>& asked) {
  std::vector<UnitPromise> all;
  for (const UnitPromise& promise : declared) {
    UnitPromise left = promise;
    bool denied = false;
    for (const UnitPromise& keeps : asked) {
      if (!detail::denies(keeps, left)) continue;
      if (!keeps.formats.empty() && !left.formats.empty())
        left.formats.erase(std::remove_if(left.formats.begin(), left.formats.end(),
                                          [&](const std::string& format) { return keeps.is_about(format); }),
                           left.formats.end());
      denied = denied || keeps.formats.empty() || promise.formats.empty() || left.formats.empty();
    }
    if (!denied) all.push_back(std::move(left));
  }
  all.insert(all.end(), asked.begin(), asked.end());
  return all;
}

}  // namespace assay::inline v0
