#include "assay/hardware/memory/march_test.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("march tests are read in either spelling, and written as the literature does") {
  const MarchTest test = parse_march("x", "{*(w0); ^(r0,w1);v(r1,w0); Del; ⇕(r0)}").value();
  CHECK(test.text() == "{⇕(w0); ⇑(r0,w1); ⇓(r1,w0); Del; ⇕(r0)}");
  CHECK(test.operations_per_word() == 6);
  CHECK(test.elements[3].pause());
  CHECK(parse_march("x", test.text()).value().elements == test.elements);
}

TEST_CASE("what is no march test is refused with the place") {
  for (const char* text : {"(w0)", "^w0", "^(w2)", "^(x0)", "^(w0", "^(w0,)", "hello", "*(w0) ?"}) {
    CAPTURE(text);
    const auto test = parse_march("x", text);
    REQUIRE(!test);
    CHECK(test.error().kind == ErrorKind::malformed);
    CHECK(test.error().message.find("at byte") != std::string::npos);
  }
  CHECK(parse_march("x", "*(r0)").error().message.find("before anything was written") != std::string::npos);
  CHECK(parse_march("x", "*(w0); ^(r1)").error().message.find("holds 0") != std::string::npos);
  CHECK(!parse_march("x", ""));
  CHECK(!parse_march("x", "Del"));
}

TEST_CASE("the known tests have the lengths of the literature") {
  const std::pair<const char*, std::size_t> lengths[] = {{"mats+", 5},     {"march_x", 6},  {"march_y", 8},
                                                         {"march_a", 15},  {"march_b", 17}, {"march_c-", 10},
                                                         {"march_ss", 22}, {"march_lr", 14}};
  for (const auto& [name, length] : lengths) CHECK(march_named(name).value().operations_per_word() == length);
  CHECK(march_named("march_c").error().message.find("march_c-") != std::string::npos);
}
