#include "assay/release/version_constraint.hpp"

#include <random>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

namespace {

bool allows(const std::string& constraint, const std::string& value) {
  const auto read = parse_version_constraint(constraint);
  INFO(constraint << (read ? std::string() : ": " + read.error().message));
  REQUIRE(read);
  return read.value().allows(value);
}

std::string refusal(const std::string& constraint) {
  const auto read = parse_version_constraint(constraint);
  INFO(constraint);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::malformed);
  return read.error().message;
}

}  // namespace

TEST_CASE("each operator, at, above and below its version") {
  struct Row {
    const char* sign;
    bool below, equal, above;
  };
  for (const Row& row : {Row{">=", false, true, true}, Row{">", false, false, true}, Row{"<=", true, true, false},
                         Row{"<", true, false, false}, Row{"==", false, true, false}, Row{"=", false, true, false},
                         Row{"!=", true, false, true}, Row{"", false, true, false}}) {
    INFO(row.sign);
    const std::string constraint = std::string(row.sign) + " 550.54";
    CHECK(allows(constraint, "550.9") == row.below);
    CHECK(allows(constraint, "550.54") == row.equal);
    CHECK(allows(constraint, "550.54.0") == row.equal);
    CHECK(allows(constraint, "550.54.1") == row.above);
  }
}

TEST_CASE("lists, ranges and alternatives") {
  CHECK(allows(">= 12.6, < 13", "12.10"));
  CHECK_FALSE(allows(">= 12.6, < 13", "13"));
  CHECK_FALSE(allows(">=12.6 <13", "12.5"));
  CHECK(allows("12.4 .. 12.8", "12.4"));
  CHECK(allows("12.4 .. 12.8", "12.8"));
  CHECK_FALSE(allows("12.4 .. 12.8", "12.8.1"));
  CHECK_FALSE(allows("12.4 .. 12.8", "12.3"));
  CHECK(allows("H100 | H200", "H200"));
  CHECK_FALSE(allows("H100 || H200", "MI300X"));
  CHECK(allows("< 11 | >= 12.2, != 12.5", "10.2"));
  CHECK(allows("< 11 | >= 12.2, != 12.5", "12.4"));
  CHECK_FALSE(allows("< 11 | >= 12.2, != 12.5", "12.5"));
  CHECK_FALSE(allows("< 11 | >= 12.2, != 12.5", "11.8"));
}

TEST_CASE("text is compared as text, and by globs") {
  CHECK(allows("rocm-*", "rocm-6.3"));
  CHECK_FALSE(allows("!= rocm-*", "rocm-6.3"));
  CHECK(allows("!= rocm-*", "cuda-12.6"));
  CHECK(allows("== pytorch", "pytorch"));
  CHECK_FALSE(allows("== pytorch", "PyTorch"));
  CHECK(allows("*", "anything"));
  CHECK_FALSE(allows(">= 1", "pytorch"));
  CHECK_FALSE(allows("< 1", "pytorch"));
}

TEST_CASE("a prerelease comes before its release") {
  CHECK_FALSE(allows(">= 2.5", "2.5.0-rc1"));
  CHECK(allows("< 2.5", "2.5.0-rc1"));
  CHECK(allows(">= 2.5.0-rc1", "2.5.0"));
}

TEST_CASE("a build or local label counts where it is asked for") {
  CHECK_FALSE(allows("== 2.5.1+cu121", "2.5.1+cu118"));
  CHECK(allows("== 2.5.1+cu121", "2.5.1+cu121"));
  CHECK_FALSE(allows("== 2.5.1+cu121", "2.5.1"));
  CHECK(allows("!= 2.5.1+cu121", "2.5.1+cu118"));
  CHECK(allows("== 2.5.1", "2.5.1+cu118"));
  CHECK(allows(">= 2.5", "2.5.1+cu118"));
  CHECK(allows("2.5.1+cu118 | 2.5.1+rocm6.2", "2.5.1+rocm6.2"));
}

TEST_CASE("a revision of a distribution is no prerelease") {
  CHECK(allows(">= 6.2", "6.2.0-66"));
  CHECK_FALSE(allows(">= 6.2", "6.1.2-43"));
  CHECK(allows(">= 5.15", "5.15.0-91-generic"));
  CHECK(allows(">= 525", "R535"));
  CHECK(allows("< 1:1.0", "2.0"));
}

TEST_CASE("operators of other tools mean what they mean there") {
  struct Row {
    const char* constraint;
    std::vector<std::string> allowed, refused;
  };
  for (const Row& row :
       {Row{"~= 2.4", {"2.4", "2.99", "2.4.0-66"}, {"2.3", "3", "3.0rc1"}},
        Row{"~=2.4.1", {"2.4.1", "2.4.99"}, {"2.4", "2.5", "2.5a0"}}, Row{"~> 2.4.1", {"2.4.1", "2.4.9"}, {"2.5"}},
        Row{"~> 2.4", {"2.4", "2.9"}, {"3"}}, Row{"~ 2.4.1", {"2.4.1", "2.4.9"}, {"2.5"}},
        Row{"~2", {"2", "2.9"}, {"3", "1.9"}}, Row{"^1.2.3", {"1.2.3", "1.9"}, {"2", "1.2.2", "2.0-rc1"}},
        Row{"^0.2.3", {"0.2.3", "0.2.9"}, {"0.3", "0.2.2"}}, Row{"^0.0.3", {"0.0.3"}, {"0.0.4", "0.0.2"}},
        Row{"^9", {"9", "9.9"}, {"10", "8"}}, Row{"== 550.x", {"550.54.15", "550"}, {"535.1", "5500", "551"}},
        Row{"12.x", {"12", "12.8"}, {"13", "1.2"}}, Row{"!= 12.*", {"13", "11.8"}, {"12", "12.6"}},
        Row{"=== 2.0", {"2.0"}, {"2", "2.0.0"}}, Row{">= 2.4, ~= 2.6", {"2.6"}, {"2.5"}}}) {
    for (const std::string& value : row.allowed) {
      INFO(row.constraint << " and " << value);
      CHECK(allows(row.constraint, value));
    }
    for (const std::string& value : row.refused) {
      INFO(row.constraint << " and " << value);
      CHECK_FALSE(allows(row.constraint, value));
    }
  }
  CHECK_THAT(refusal("~= 2"), testing::contains("needs two at least"));
  CHECK_THAT(refusal("^ rocm"), testing::contains("'^' needs a version"));
  CHECK_THAT(refusal(">= 12.x"), testing::contains("many versions") && testing::contains("give '12'"));
  CHECK_THAT(refusal("~~ 2"), testing::contains("unknown operator '~~'"));
}

TEST_CASE("whether an order is asked for is told") {
  CHECK(parse_version_constraint(">= 1").value().needs_versions());
  CHECK(parse_version_constraint("a | 1 .. 2").value().needs_versions());
  CHECK_FALSE(parse_version_constraint("== 1 | != b").value().needs_versions());
}

TEST_CASE("what cannot be read is refused, with the place") {
  CHECK_THAT(refusal(""), testing::contains("empty"));
  CHECK_THAT(refusal(">="), testing::contains("at its end"));
  CHECK_THAT(refusal(">= , < 3"), testing::contains("before '<'"));
  CHECK_THAT(refusal("=> 3"), testing::contains("unknown operator '=>'") && testing::contains(">="));
  CHECK_THAT(refusal("1 | | 2"), testing::contains("missing"));
  CHECK_THAT(refusal("| 2"), testing::contains("missing before"));
  CHECK_THAT(refusal("1 |"), testing::contains("at its end"));
  CHECK_THAT(refusal(".. 3"), testing::contains("'..'"));
  CHECK_THAT(refusal("1 .."), testing::contains("at its end"));
  CHECK_THAT(refusal("1 .. | 3"), testing::contains("missing"));
  CHECK_THAT(refusal(">= pytorch"), testing::contains("'pytorch' is no version"));
  CHECK_THAT(refusal("a .. b"), testing::contains("is no version"));
  CHECK_THAT(refusal(std::string(5000, '1')), testing::contains("4096"));
}

TEST_CASE("mutated constraints are read or refused, never worse") {
  const std::string seeds[] = {">= 12.6, < 13", "12.4 .. 12.8 | == 2.*", "!= 550.40 || H100"};
  std::mt19937 random(7);
  std::size_t read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = seeds[random() % 3];
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      const char letter = "<>=!|. ,*1a-+\n\xff~^x:"[random() % 19];
      if (random() % 2 == 0 || at == text.size())
        text.insert(at, 1, letter);
      else
        text.erase(at, 1 + random() % 3);
    }
    const auto constraint = parse_version_constraint(text);
    if (constraint) {
      ++read;
      static_cast<void>(constraint.value().allows("12.6"));
    } else {
      ++refused;
      REQUIRE(constraint.error().kind == ErrorKind::malformed);
      REQUIRE_FALSE(constraint.error().message.empty());
    }
  }
  CHECK(read > 1000);
  CHECK(refused > 1000);
}
