#include "assay/report/text.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("numbers for people keep what tells them apart") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(-0.0) == "-0");
  CHECK(number_text(16384) == "16384");
  CHECK(number_text(-3) == "-3");
  CHECK(number_text(0.8731) == "0.873");
  CHECK(number_text(41.72) == "41.7");
  CHECK(number_text(1234.5) == "1234");
  CHECK(number_text(0.0123) == "0.0123");
  CHECK(number_text(1.5e-7) == "1.50e-07");
  CHECK(number_text(1e300) == "1.00e+300");
  CHECK(number_text(5e-324) == "4.94e-324");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN()) == "NaN");
}

TEST_CASE("durations take a fitting unit") {
  CHECK(duration_text(0) == "0 s");
  CHECK(duration_text(2.5e-9) == "2.50 ns");
  CHECK(duration_text(1.25e-5) == "12.5 µs");
  CHECK(duration_text(0.0125) == "12.5 ms");
  CHECK(duration_text(12.34) == "12.3 s");
  CHECK(duration_text(200) == "3 min 20 s");
  CHECK(duration_text(7500) == "2 h 5 min");
  CHECK(duration_text(std::numeric_limits<double>::infinity()) == "inf s");
}

TEST_CASE("quantities carry their unit") {
  CHECK(quantity_text(3, "ulp") == "3 ulp");
  CHECK(quantity_text(0.5, "1") == "0.500");
  CHECK(quantity_text(0.5, "s") == "500 ms");
}

TEST_CASE("UTF-8 sequences are told from other bytes") {
  CHECK(utf8_sequence_length("") == 0);
  CHECK(utf8_sequence_length("a") == 1);
  CHECK(utf8_sequence_length("ü") == 2);
  CHECK(utf8_sequence_length("漢") == 3);
  CHECK(utf8_sequence_length("😀") == 4);
  CHECK(utf8_sequence_length("\xC3") == 0);              // cut short
  CHECK(utf8_sequence_length("\xC0\x80") == 0);          // overlong
  CHECK(utf8_sequence_length("\xED\xA0\x80") == 0);      // a surrogate
  CHECK(utf8_sequence_length("\xF4\x90\x80\x80") == 0);  // beyond Unicode
}

TEST_CASE("visible text cannot steer a terminal") {
  CHECK(visible("plain ü 漢") == "plain ü 漢");
  CHECK(visible("a\nb\tc") == "a\\nb\\tc");
  CHECK(visible("\x1b[31m\r\x7f") == "\\x1b[31m\\x0d\\x7f");
  CHECK(visible("\xC2\x9B"
                "31m") == "\\xc2\\x9b31m");  // the control sequence introducer of ISO 6429 in UTF-8
  CHECK(visible("\xFF") == "\\xff");
  CHECK(visible(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("clipping counts code points and says that it clipped") {
  CHECK(display_width("ü漢a") == 3);
  CHECK(clipped("abc", 3) == "abc");
  CHECK(clipped("abcd", 3) == "ab…");
  CHECK(clipped("漢漢漢漢", 2) == "漢…");
  CHECK(clipped("abc", 1) == "…");
  CHECK(clipped("abc", 0).empty());
}

TEST_CASE("text in ASCII keeps its meaning where it can") {
  CHECK(ascii_text("3 × a · b … – ─ ≤ 漢") == "3 x a * b ... - - <= ?");
  CHECK(ascii_text(std::string("plain\xff")) == "plain?");
  CHECK(ascii_text("").empty());
}
