#include "trade_offs.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/report/text.hpp"

namespace assay_program {

assay::Result<std::vector<assay::TradeOff>> parse_trade_offs(std::string_view text, const std::string& name) {
  std::vector<assay::TradeOff> ways;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    const auto refused = [&](const std::string& why) {
      return assay::failure(assay::ErrorKind::malformed, "'" + name + "', line " + std::to_string(number) + ": " + why);
    };
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object()) return refused("this is no JSON object: " + assay::clipped(assay::visible(line), 60));
    assay::TradeOff way;
    if (!json.contains("name") || !json["name"].is_string()) return refused("\"name\" is missing, or no text");
    way.name = json["name"].get<std::string>();
    std::optional<double> values[5];
    constexpr const char* members[] = {"accuracy", "bytes", "lower", "upper", "seconds"};
    for (std::size_t i = 0; i < 5; ++i) {
      if (!json.contains(members[i])) continue;
      if (!json[members[i]].is_number()) return refused("\"" + std::string(members[i]) + "\" is no number");
      values[i] = json[members[i]].get<double>();
    }
    if (!values[0] || !values[1]) return refused("\"accuracy\" and \"bytes\" are wanted");
    if (*values[1] <= 0) return refused("\"bytes\" is not above 0");
    way.accuracy = *values[0];
    way.bytes = *values[1];
    way.lower = values[2];
    way.upper = values[3];
    way.seconds = values[4];
    ways.push_back(std::move(way));
  }
  if (ways.empty()) return assay::failure(assay::ErrorKind::malformed, "'" + name + "' has no line");
  return ways;
}

}  // namespace assay_program
