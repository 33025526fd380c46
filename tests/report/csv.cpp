#include "assay/report/csv.hpp"

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

TEST_CASE("rows of CSV: quotes, line ends, marks and empty lines") {
  const auto rows = csv_rows(
      "\xEF\xBB\xBF"
      "a,b\r\n\"x,\"\"y\"\"\nz\",2\n\n,\n");
  REQUIRE(rows.has_value());
  REQUIRE(rows.value().size() == 3);
  CHECK(rows.value()[0].cells == std::vector<std::string>{"a", "b"});
  CHECK(rows.value()[1].cells == std::vector<std::string>{"x,\"y\"\nz", "2"});
  CHECK(rows.value()[1].line == 2);
  CHECK(rows.value()[2].cells == std::vector<std::string>{"", ""});
  CHECK(rows.value()[2].line == 5);
  CHECK(csv_rows("").value().empty());
  CHECK(csv_rows("a;b", ';').value()[0].cells.size() == 2);
}

TEST_CASE("what is no CSV is refused with its line") {
  CHECK_THAT(csv_rows("a\n\"b\n").error().message, contains("line 2"));
  CHECK_THAT(csv_rows("\"a\"b\n").error().message, contains("line 1"));
}

TEST_CASE("numbers in cells") {
  CHECK(csv_number(" +1.5 ") == 1.5);
  CHECK_FALSE(csv_number("").has_value());
  CHECK_FALSE(csv_number("1,5").has_value());
  CHECK_FALSE(csv_number("12 W").has_value());
}
