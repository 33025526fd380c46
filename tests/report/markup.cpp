#include "assay/report/markup.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("markup of any text has no tags, ends no attribute and is UTF-8") {
  CHECK(escaped_markup("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&#39;");
  CHECK(escaped_markup("ü 漢 😀\n\t") == "ü 漢 😀\n\t");
  CHECK(escaped_markup("\x1b\xFF\x7f") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(escaped_markup("&amp;") == "&amp;amp;");
}
