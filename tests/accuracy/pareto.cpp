#include "assay/accuracy/pareto.hpp"

#include <cmath>

#include "testing/catch.hpp"

namespace {

using namespace assay;

const std::vector<TradeOff> ways{{"fp16", 76.1, 75.9, 76.3, 100e6, 2.0}, {"int8", 76.0, 75.8, 76.2, 50e6, 1.0},
                                 {"fp8", 75.9, 75.7, 76.1, 50e6, 1.0},   {"int4", 71.0, 70.8, 71.2, 25e6, 1.5},
                                 {"nf4", 60.0, 59.0, 61.0, 30e6, 1.6},   {"broken", std::nan(""), {}, {}, 10e6, {}}};

}  // namespace

TEST_CASE("The front of accuracy and size", "[accuracy]") {
  const auto places = pareto_places(ways);
  CHECK((places[0].on_front && places[1].on_front && places[3].on_front));
  CHECK(!places[2].on_front);
  CHECK(!places[2].surely_dominated);  // the intervals do not tell int8 and fp8 apart
  CHECK(places[4].dominated_by == std::vector<std::string>{"int4"});
  CHECK(places[4].surely_dominated);
  CHECK(!places[5].on_front);
}

TEST_CASE("Equals are both on the front, and less may be better", "[accuracy]") {
  const std::vector<TradeOff> same{{"a", 1, {}, {}, 10, {}}, {"b", 1, {}, {}, 10, {}}, {"c", 2, {}, {}, 10, {}}};
  CHECK(pareto_places(same, false)[0].on_front);
  CHECK(pareto_places(same, false)[1].on_front);
  CHECK(!pareto_places(same, false)[2].on_front);
  CHECK(pareto_places(same)[2].on_front);
}

TEST_CASE("Who is slower within the interval of the time alone is not surely dominated", "[accuracy]") {
  std::vector<TradeOff> timed{{"a", 76, 75.9, 76.1, 10e6, 1.00, 0.9, 1.1},
                              {"b", 70, 69.9, 70.1, 10e6, 1.05, 0.95, 1.15}};
  CHECK(pareto_places(timed)[1].dominated_by == std::vector<std::string>{"a"});
  CHECK(!pareto_places(timed)[1].surely_dominated);
  timed[1].seconds_lower = 1.1;
  CHECK(pareto_places(timed)[1].surely_dominated);
}

TEST_CASE("The table has the smallest first", "[accuracy]") {
  const Table table = pareto_table(ways, "top1");
  CHECK(table.rows.front()[1] == "broken");
  CHECK(table.rows[1][0] == "*");
  CHECK(table.columns[2] == "top1");
  CHECK(table.rows.back()[1] == "fp16");
}
