#include "trade_offs.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/report/text.hpp"

namespace assay_program {

assay::Result<TradeOffs> parse_trade_offs(std::string_view text, const std::string& name) {
  TradeOffs all;
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
    TradeOffs own;
    if (json.contains("metric")) {
      if (!json["metric"].is_string()) return refused("\"metric\" is no text");
      own.metric = json["metric"].get<std::string>();
    }
    if (json.contains("higher_is_better")) {
      if (!json["higher_is_better"].is_boolean()) return refused("\"higher_is_better\" is neither true nor false");
      own.higher_is_better = json["higher_is_better"].get<bool>();
    }
    if (all.ways.empty()) {
      all = own;
    } else if (own.metric != all.metric || own.higher_is_better != all.higher_is_better) {
      return refused("\"metric\" or \"higher_is_better\" is another than in the first line");
    }
    std::optional<double> values[7];
    constexpr const char* members[] = {"accuracy", "bytes",         "lower",        "upper",
                                       "seconds",  "seconds_lower", "seconds_upper"};
    for (std::size_t i = 0; i < 7; ++i) {
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
    way.seconds_lower = values[5];
    way.seconds_upper = values[6];
    all.ways.push_back(std::move(way));
  }
  if (all.ways.empty()) return assay::failure(assay::ErrorKind::malformed, "'" + name + "' has no line");
  return all;
}

}  // namespace assay_program
