#include "assay/accuracy/pareto_page.hpp"

#include "testing/catch.hpp"

namespace {

using namespace assay;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("The page draws ways with their intervals, and marks what is dominated", "[accuracy]") {
  std::vector<TradeOff> ways{{"fp32", 20.0, 19.9, 20.1, 400e6, 2.0, 1.9, 2.1},
                             {"int8", 20.2, 20.1, 20.3, 100e6, 1.0, 0.9, 1.1},
                             {"worse8", 25.0, 24.0, 26.0, 100e6, 1.5, 1.4, 1.6},
                             {"close8", 20.25, 20.15, 20.35, 110e6, 1.2, 1.1, 1.3}};
  const std::string page = pareto_page(ways, "perplexity", false, "a <model>", "assay accuracy pareto");
  CHECK(page.find("less perplexity is better") != page.npos);
  CHECK(page.find("a &lt;model&gt;") != page.npos);
  CHECK(count_of(page, "<circle") == 8);             // in both pictures
  CHECK(count_of(page, "class=\"whisker\"") == 16);  // up and down
  CHECK(page.find("worse8 (dominated)") != page.npos);
  CHECK(page.find("close8 (?)") != page.npos);
  CHECK(page.find("int8 (") == page.npos);
  ways[0].seconds.reset();
  CHECK(count_of(pareto_page(ways, "perplexity", false, "a", ""), "<circle") == 4);
}
