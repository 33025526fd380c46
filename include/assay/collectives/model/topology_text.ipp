#pragma once

#include "assay/collectives/model/topology_text.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string_view without_margins(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Topology> parse_topology(std::string_view text) {
  Topology topology;
  topology.adapters = 0;
  std::map<std::string, double*, std::less<>> numbers{
      {"inside_latency_us", &topology.inside.latency_seconds},
      {"inside_gbs", &topology.inside.line_rate},
      {"inside_efficiency", &topology.inside.protocol_efficiency},
      {"between_latency_us", &topology.between.latency_seconds},
      {"between_gbs", &topology.between.line_rate},
      {"between_efficiency", &topology.between.protocol_efficiency},
      {"launch_us", &topology.launch_seconds},
      {"reduction_gbs", &topology.reduction_rate},
      {"inside_switch_us", &topology.inside_switch.latency_seconds},
      {"inside_switch_efficiency", &topology.inside_switch.efficiency},
      {"between_switch_us", &topology.between_switch.latency_seconds},
      {"between_switch_efficiency", &topology.between_switch.efficiency}};
  const std::map<std::string, Index*, std::less<>> counts{
      {"nodes", &topology.nodes}, {"devices", &topology.devices}, {"adapters", &topology.adapters}};
  const std::map<std::string, Link*, std::less<>> links{{"inside", &topology.inside}, {"between", &topology.between}};
  std::vector<std::string> keys{"name"}, seen;
  for (const auto& [key, number] : numbers) keys.push_back(key);
  for (const auto& [key, count] : counts) keys.push_back(key);
  for (const auto& [key, link] : links) keys.push_back(key);
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    std::string_view row = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    row = detail::without_margins(row.substr(0, row.find('#')));
    if (row.empty()) continue;
    const auto refused = [&](ErrorKind kind, const std::string& what) {
      return failure(kind, "line " + std::to_string(line) + ": " + what);
    };
    const std::size_t sign = row.find('=');
    if (sign == std::string_view::npos)
      return refused(ErrorKind::malformed, "found '" + std::string(row) + "'; expected key = value");
    const std::string key(detail::without_margins(row.substr(0, sign)));
    const std::string_view value = detail::without_margins(row.substr(sign + 1));
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      return refused(ErrorKind::malformed, "'" + key + "' stands a second time");
    seen.push_back(key);
    const auto read = [&](auto& number) {
      const auto [stop, code] = std::from_chars(value.data(), value.data() + value.size(), number);
      return code == std::errc() && stop == value.data() + value.size();
    };
    const std::string found = "'" + key + "' is '" + std::string(value) + "'; ";
    if (key == "name") {
      topology.name = value;
    } else if (const auto count = counts.find(key); count != counts.end()) {
      if (!read(*count->second) || *count->second < 1)
        return refused(ErrorKind::malformed, found + "give a whole number of 1 or more");
    } else if (const auto link = links.find(key); link != links.end()) {
      for (const std::string& other : seen)
        if (other.starts_with(key + "_") && !other.starts_with(key + "_switch"))
          return refused(ErrorKind::malformed, "'" + key + "' replaces '" + other + "'; name the link first");
      const auto named = link_named(value);
      if (!named) return refused(ErrorKind::not_found, named.error().message);
      *link->second = named.value();
    } else if (const auto number = numbers.find(key); number != numbers.end()) {
      if (!read(*number->second)) return refused(ErrorKind::malformed, found + "give a number, such as 3.4");
      if (key.ends_with("_us")) *number->second *= 1e-6;
      if (key.ends_with("_gbs")) *number->second *= 1e9;
      if (key.starts_with("inside_switch")) topology.inside_switch.present = true;
      if (key.starts_with("between_switch")) topology.between_switch.present = true;
    } else {
      return refused(ErrorKind::not_found, unknown_name("key", key, keys));
    }
  }
  if (topology.adapters == 0) topology.adapters = topology.devices;
  if (auto checked = check(topology); !checked) return checked.propagate();
  return topology;
}

}  // namespace assay::inline v0
