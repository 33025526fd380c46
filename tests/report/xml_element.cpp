#include "assay/report/xml_element.hpp"

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("elements, attributes, text and CDATA of a document") {
  const auto read = parse_xml(
      "<?xml version='1.0'?><!-- a --><r a='1' b=\"x &lt; &#65;&#x42;&quot;\">one<s/><![CDATA[<&>]]> &amp; "
      "two<!-- c --></r>\n");
  REQUIRE(read);
  CHECK(read.value().name == "r");
  CHECK(read.value().attribute("b") == "x < AB\"");
  CHECK(read.value().attribute("c").empty());
  CHECK(read.value().text == "one<&> & two");
  REQUIRE(read.value().child("s") != nullptr);
  CHECK(read.value().child("t") == nullptr);
  CHECK(parse_xml("\xEF\xBB\xBF<a>&#x20AC;</a>").value().text == "\xE2\x82\xAC");
}

TEST_CASE("what is no XML is refused with its line") {
  for (const char* text :
       {"", "a", "<a>", "<a></b>", "<a b></a>", "<a b=c/>", "<a>&x;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>& </a>",
        "<a/><b/>", "<a", "<a b='", "<a><![CDATA[", "<!DOCTYPE a [<!ENTITY x 'y'>]><a/>", "<>", "<a><!ELEMENT></a>"}) {
    CAPTURE(text);
    const auto read = parse_xml(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::malformed);
    CHECK_THAT(read.error().message, contains("no XML at line "));
  }
  CHECK_THAT(parse_xml("<a>\n\n</b>").error().message, contains("line 3"));
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  CHECK_THAT(parse_xml(deep).error().message, contains("deeper than 64"));
}
