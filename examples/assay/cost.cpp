#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/fleet/economics/cost.hpp"
#include "assay/fleet/figure_page.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "fault.hpp"
#include "fleet_options.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

/// Reads assumptions, and keeps the first that cannot be meant, or is missing.
struct AssumptionReader {
  std::string refusal;

  assay::Assumption read(const char* option, const std::string& text, const char* name, const char* unit,
                         std::optional<assay::Assumption> otherwise = std::nullopt, bool positive = false) {
    if (text.empty()) {
      if (otherwise) return *otherwise;
      if (refusal.empty()) refusal = std::string(option) + " is missing: " + name + ", in " + unit;
      return {};
    }
    auto read = assay::parse_assumption(name, text, unit, positive);
    if (read) return std::move(read).value();
    if (refusal.empty()) refusal = std::string(option) + ": " + read.error().message;
    return {};
  }
};

assay::Assumption share_of(AssumptionReader& reader, const CostOptions& options) {
  assay::Assumption share = reader.read("--utilization", options.utilization, "utilization", "1",
                                        assay::assumed("utilization", 1, "1", "default: every hour"), true);
  if (share.high > 1 && reader.refusal.empty()) reader.refusal = "--utilization is more than 1";
  return share;
}

assay::Assumption pue_of(AssumptionReader& reader, const CostOptions& options) {
  assay::Assumption pue = reader.read("--pue", options.pue, "PUE", "1",
                                      assay::assumed("PUE", 1.58, "1", "industry, Uptime Institute 2023"), true);
  if (pue.low < 1 && reader.refusal.empty())
    reader.refusal = "--pue is less than 1: a building draws what its machines draw";
  return pue;
}

assay::Ownership ownership_of(AssumptionReader& reader, const CostOptions& options) {
  assay::Ownership own;
  own.capex = reader.read("--capex", options.capex, "capex", "$");
  own.life_years =
      reader.read("--life", options.life_years, "life", "years", assay::assumed("life", 5, "years", "default"), true);
  own.utilization = share_of(reader, options);
  own.kilowatts = reader.read("--kilowatts", options.kilowatts, "power", "kW");
  own.pue = pue_of(reader, options);
  own.dollars_per_kilowatt_hour = reader.read("--electricity", options.dollars_per_kwh, "electricity", "$/kWh");
  own.staff = reader.read("--staff", options.staff, "staff", "$/h", assay::assumed("staff", 0, "$/h", "default: none"));
  return own;
}

/// The figures of one unit as bars: those in the unit of the first.
std::string bars_of(const std::vector<assay::Figure>& figures) {
  std::vector<assay::Bar> bars;
  for (const assay::Figure& figure : figures)
    if (figure.unit == figures.front().unit)
      bars.push_back({figure.name, {{figure.unit, figure.value}}, 0, figure.low, figure.high});
  return assay::bar_svg("Bars: by the assumed values; lines: over all of their intervals", figures.front().unit, bars);
}

int print_figures(const AssumptionReader& reader, const char* title, const std::vector<assay::Figure>& figures,
                  const std::string& html) {
  if (!reader.refusal.empty()) return fault(reader.refusal);
  if (!html.empty()) {
    const std::vector<assay::Table> tables{assay::figure_table(title, figures), assay::assumption_table(figures)};
    const auto written = assay::write_file(
        html, assay::figure_page(title, bars_of(figures), tables, {"Every figure rests on the assumptions below it."}));
    if (!written) return fault(written.error().message);
  }
  print_table(assay::figure_table(title, figures));
  std::printf("\n");
  print_table(assay::assumption_table(figures));
  return 0;
}

int token_cost(const CostOptions& options) {
  AssumptionReader reader;
  std::vector<assay::Figure> figures;
  const auto rent = reader.read("--rent", options.rent, "rent", "$/h");
  const auto share = share_of(reader, options);
  assay::Assumption rate;
  if (options.tokens_per_second.empty() && !options.active_parameters.empty()) {
    const auto peak = reader.read("--peak", options.peak, "peak", "FLOP/s", std::nullopt, true),
               efficiency = reader.read("--efficiency", options.efficiency, "efficiency", "1", std::nullopt, true),
               active = reader.read("--active-parameters", options.active_parameters, "active parameters", "1",
                                    std::nullopt, true);
    if (!reader.refusal.empty()) return fault(reader.refusal);
    const assay::Figure tokens = assay::compute_bound_tokens(peak, efficiency, active);
    rate = {"rate", tokens.value, tokens.low, tokens.high, "tok/s", "bound by arithmetic: an upper limit"};
    figures.push_back(tokens);
  } else {
    rate = reader.read("--tokens-per-second", options.tokens_per_second, "rate", "tok/s", std::nullopt, true);
  }
  if (!reader.refusal.empty()) return fault(reader.refusal);
  figures.push_back(assay::cost_per_million_tokens(rent, rate, share));
  if (!options.kilowatts.empty()) {
    const auto power = reader.read("--kilowatts", options.kilowatts, "power", "kW", std::nullopt, true),
               pue = pue_of(reader, options);
    if (!reader.refusal.empty()) return fault(reader.refusal);
    figures.push_back(assay::tokens_per_second_per_kilowatt(rate, power, pue));
    figures.push_back(assay::tokens_per_joule(rate, power, pue));
  }
  return print_figures(reader, "Tokens", figures, options.html);
}

int own_cost(const CostOptions& options) {
  AssumptionReader reader;
  const assay::Ownership own = ownership_of(reader, options);
  if (!reader.refusal.empty()) return fault(reader.refusal);
  std::vector<assay::Figure> figures{assay::owned_cost_per_hour(own)};
  if (!options.tokens_per_second.empty()) {
    const auto rate =
        reader.read("--tokens-per-second", options.tokens_per_second, "rate", "tok/s", std::nullopt, true);
    const assay::Figure hour = figures.front();
    if (!reader.refusal.empty()) return fault(reader.refusal);
    figures.push_back(
        assay::cost_per_million_tokens({"owned, an hour of use", hour.value, hour.low, hour.high, "$/h", "above"}, rate,
                                       assay::assumed("hours counted", 1, "1", "those of use")));
    if (!options.carbon.empty()) {
      const auto carbon = reader.read("--carbon", options.carbon, "grid", "g CO2/kWh"),
                 embodied = reader.read("--embodied", options.embodied, "embodied", "kg CO2",
                                        assay::assumed("embodied", 0, "kg CO2", "default: not counted"));
      if (!reader.refusal.empty()) return fault(reader.refusal);
      figures.push_back(assay::carbon_per_million_tokens(own, rate, carbon, embodied));
    }
  }
  return print_figures(reader, "Owning", figures, options.html);
}

int comparison(const CostOptions& options) {
  AssumptionReader reader;
  const assay::Ownership own = ownership_of(reader, options);
  const auto rent = reader.read("--rent", options.rent, "rent", "$/h", std::nullopt, true);
  if (!reader.refusal.empty()) return fault(reader.refusal);
  std::vector<assay::Figure> figures{
      assay::evaluate("on demand, an hour of use", "$/h", "rent", {rent}, [](const auto& v) { return v[0]; })};
  if (!options.reserved.empty()) {
    const auto price = reader.read("--reserved", options.reserved, "reserved price", "$/h", std::nullopt, true);
    if (!reader.refusal.empty()) return fault(reader.refusal);
    figures.push_back(assay::reserved_cost_per_hour(price, own.utilization));
  }
  if (!options.spot.empty()) {
    const auto price = reader.read("--spot", options.spot, "spot price", "$/h", std::nullopt, true),
               interruptions = reader.read("--interruptions", options.interruptions, "interruptions", "1/h");
    auto checkpoint = reader.read("--checkpoint", options.checkpoint_minutes, "checkpoint interval", "min"),
         restart = reader.read("--restart", options.restart_minutes, "restart", "min");
    if (!reader.refusal.empty()) return fault(reader.refusal);
    for (assay::Assumption* one : {&checkpoint, &restart}) {
      for (double* minutes : {&one->value, &one->low, &one->high}) *minutes /= 60;
      one->unit = "h";
    }
    figures.push_back(assay::spot_cost_per_hour(price, interruptions, checkpoint, restart));
  }
  figures.push_back(assay::owned_cost_per_hour(own));
  figures.push_back(assay::break_even_hours(own, rent));
  return print_figures(reader, "Rent or own", figures, options.html);
}

int prices() {
  assay::Table table{"Prices", {"chip", "offer", "$/h", "as of", "source"}, {}};
  for (const assay::KnownPrice& price : assay::known_prices)
    table.rows.push_back(
        {price.chip, price.offer, assay::number_text(price.dollars_per_hour, 4), price.as_of, price.source});
  print_table(table);
  std::printf("\n");
  assay::Table pues{"PUE", {"operator", "PUE", "source"}, {}};
  for (const assay::KnownPue& one : assay::known_pues)
    pues.rows.push_back({one.operator_name, assay::number_text(one.pue), one.source});
  print_table(pues);
  std::printf("\nPublished figures with their dates, and no advice: give your own to the other actions.\n");
  return 0;
}

}  // namespace

int cost(const CostOptions& options) {
  if (options.action == "tokens") return token_cost(options);
  if (options.action == "own") return own_cost(options);
  if (options.action == "compare") return comparison(options);
  return prices();
}

}  // namespace assay_program
