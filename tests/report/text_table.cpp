#include "assay/report/text_table.hpp"

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("numbers stand to the right, words to the left") {
  const Table table{"", {"name", "value"}, {{"a", "1"}, {"längste", "12.5"}, {"c", "-"}}};
  const std::vector<std::string> lines = text_lines(table);
  REQUIRE(lines.size() == 5);
  CHECK(lines[0] == "name     value");
  CHECK(lines[1] == "──────────────");
  CHECK(lines[2] == "a            1");
  CHECK(lines[3] == "längste   12.5");
  CHECK(lines[4] == "c            -");
}

TEST_CASE("a column of words with digits in them is no column of numbers") {
  const Table table{"", {"formats", "n"}, {{"f32", "inf"}, {"16", "NaN"}}};
  CHECK_FALSE(numeric_column(table, 0));
  CHECK(numeric_column(table, 1));
  CHECK_FALSE(numeric_cell("bf16"));
  CHECK(numeric_cell("12.5 ms"));
}

TEST_CASE("rows that are too short or too long, control characters and empty tables do no harm") {
  const std::vector<std::string> lines = text_lines({"", {"a", "b"}, {{"x"}, {"y\n", "2", "surplus"}}});
  REQUIRE(lines.size() == 4);
  CHECK(lines[2] == "x");
  CHECK(lines[3] == "y\\n  2");
  CHECK(text_lines({}).size() == 2);
}

TEST_CASE("a table fits the width that it is given: words are clipped, then rows become lines") {
  const Table table{"",
                    {"backend", "operation", "cases", "worst error/allowed"},
                    {{"host", "a_long_name_of_an_operation", "1234", "0.5"}, {"eigen", "another_long_name", "5", "-"}}};
  const std::vector<std::string> any = text_lines(table);
  CHECK(any == text_lines(table, 200));
  for (const std::size_t width : {30, 45, 60}) {
    INFO(width);
    std::string all;
    for (const std::string& line : text_lines(table, width)) {
      CHECK(display_width(line) <= width);
      all += line + "\n";
    }
    CHECK_THAT(all, contains("1234"));
    CHECK_THAT(all, contains("0.5"));
  }
  CHECK(text_lines(table, 60)[2].substr(0, 14) == "host     a_lon");
  CHECK(text_lines(table, 30)[0] == "host");
}
