#include "assay/suite/detail/output_tail.hpp"

#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay::detail;

TEST_CASE("what a program wrote becomes lines that any report can hold", "[suite][isolation]") {
  using Lines = std::vector<std::string>;
  CHECK(printable_lines("") == Lines{});
  CHECK(printable_lines("one\ntwo\r\n\nfour") == Lines{"one", "two", "", "four"});
  CHECK(printable_lines("a\tb") == Lines{"a  b"});
  CHECK(printable_lines(std::string("\0\x1b[1m\x7f", 6)) == Lines{"\\x00\\x1b[1m\\x7f"});
  CHECK(printable_lines("é … 😀") == Lines{"é … 😀"});
  CHECK(printable_lines("\xff \xc3 \xe2\x80") == Lines{"\\xff \\xc3 \\xe2\\x80"});
  CHECK(printable_lines("\xc0\x80 \xe0\x80\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xf8") ==
        Lines{"\\xc0\\x80 \\xe0\\x80\\x80 \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xf8"});
}

TEST_CASE("a tail begins at a line where one begins in it", "[suite][isolation]") {
  CHECK(tail_of("short", 10) == "short");
  CHECK(tail_of("first\nsecond\n", 9) == "second\n");
  CHECK(tail_of("first\nsecond\n", 7) == "second\n");
  CHECK(tail_of("one long line", 4) == "line");
  CHECK(tail_of("one long line\n", 5) == "line\n");
  CHECK(tail_of("anything", 0).empty());
}
