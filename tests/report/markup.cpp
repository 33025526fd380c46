#include "assay/report/markup.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("markup of any text has no tags, ends no attribute and is UTF-8") {
  CHECK(escaped_markup("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&#39;");
  CHECK(escaped_markup("ü 漢 😀\n\t") == "ü 漢 😀\n\t");
  CHECK(escaped_markup("\x1b\xFF\x7f") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(escaped_markup("&amp;") == "&amp;amp;");
}

TEST_CASE("characters that HTML refuses do not come through, their neighbors do") {
  const std::string replaced = "\xEF\xBF\xBD";
  for (const char* refused : {"\xC2\x80", "\xC2\x9F", "\xEF\xB7\x90", "\xEF\xB7\xAF", "\xEF\xBF\xBE", "\xEF\xBF\xBF",
                              "\xF0\x9F\xBF\xBE", "\xF4\x8F\xBF\xBF"})
    CHECK(escaped_markup(refused) == replaced);
  for (const char* kept :
       {"\xC2\xA0", "\xC3\x9F", "\xEF\xB7\xB0", "\xEF\xBF\xBD", "\xF0\x9F\xBF\xBD", "\xF0\x9F\x98\x80"})
    CHECK(escaped_markup(kept) == kept);
}
