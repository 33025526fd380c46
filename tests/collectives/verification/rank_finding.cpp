#include "assay/collectives/verification/rank_finding.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a rank's finding is the same after it has been text, and no part of the text is a finding") {
  RankFinding finding;
  finding.rank = 3;
  finding.call = 1234567890123;
  finding.elements = 100;
  finding.wrong = 7;
  finding.hash = ~std::uint64_t{0} - 5;
  finding.runs = {{5, 2}, {9, 5}};
  finding.suspicions.push_back({"rank_dropped", 2, 5, 9, 0.75, "with: colons, 12 numbers\nand lines"});
  const std::string text = to_text(finding);
  const auto read = rank_finding_from_text(text);
  REQUIRE(read);
  CHECK(read.value().call == finding.call);
  CHECK(read.value().hash == finding.hash);
  CHECK(read.value().runs[1].length == 5);
  REQUIRE(read.value().suspicions.size() == 1);
  CHECK(read.value().suspicions[0].evidence == finding.suspicions[0].evidence);
  CHECK(read.value().suspicions[0].share == testing::Approx(0.75));
  CHECK(to_text(read.value()) == text);
  for (std::size_t length = 0; length < text.size(); ++length)
    CHECK_FALSE(rank_finding_from_text(text.substr(0, length)));
  CHECK(rank_finding_from_text(text + "1 ").error().kind == ErrorKind::malformed);

  finding.error = Error{ErrorKind::timed_out, "late"};
  CHECK(rank_finding_from_text(to_text(finding)).value().error->message == "late");
  CHECK_FALSE(finding.is_right());
}
