#include "assay/serving/answer_check.hpp"

#include "serving/records.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;
using assay::AnswerFault;

TEST_CASE("each fault of an answer is named", "[serving]") {
  const assay::GoldenAnswers golden{{"a", "one two three four"}, {"b", "five six seven"}};
  const auto fault = [&](const std::string& prompt, const std::string& text) {
    return assay::compare_answer(answered(prompt, text), golden).fault;
  };
  CHECK(fault("a", "one two three four") == AnswerFault::none);
  CHECK(fault("a", "") == AnswerFault::empty);
  CHECK(fault("a", "one two") == AnswerFault::truncated);
  CHECK(fault("a", "five six seven") == AnswerFault::swapped);
  CHECK(fault("a", "one two two three four") == AnswerFault::repeated);
  CHECK(fault("a", "one two three fourone two three four") == AnswerFault::repeated);
  CHECK(fault("a", "one two thrEe four") == AnswerFault::other);
  CHECK(fault("a", "one two three four five") == AnswerFault::other);
  CHECK(fault("a", "one \xff two") == AnswerFault::invalid_text);
  CHECK(fault("c", "anything") == AnswerFault::none);
  CHECK(fault("c", "") == AnswerFault::empty);
  assay::RequestRecord cut = answered("a", "one two three four");
  cut.end = assay::RequestEnd::truncated;
  CHECK(assay::compare_answer(cut, golden).fault == AnswerFault::not_complete);
  CHECK_THAT(assay::compare_answer(answered("a", "one two thrEe four"), golden).evidence, contains("byte 11"));
}

TEST_CASE("an empty answer that was empty without load is right", "[serving]") {
  CHECK(assay::compare_answer(answered("a", ""), {{"a", ""}}).fault == AnswerFault::none);
}

TEST_CASE("golden answers are those that do not differ among themselves", "[serving]") {
  std::vector<assay::RequestRecord> records{answered("a", "x"), answered("a", "x"), answered("b", "y"),
                                            answered("b", "z"), answered("c", "w")};
  records.back().end = assay::RequestEnd::timed_out;
  std::vector<std::string> unstable;
  const auto golden = assay::golden_answers(records, &unstable);
  CHECK(golden == assay::GoldenAnswers{{"a", "x"}});
  CHECK(unstable == std::vector<std::string>{"b"});
}

TEST_CASE("needles are to stand in their own answer, and in no other", "[serving]") {
  const std::map<std::string, std::string> needles{{"a", "NEEDLE-1"}, {"b", "NEEDLE-2"}};
  CHECK(assay::find_needles(answered("a", "it is NEEDLE-1."), needles).fault == AnswerFault::none);
  CHECK(assay::find_needles(answered("a", "it is NEEDLE-2."), needles).fault == AnswerFault::mixed);
  CHECK(assay::find_needles(answered("a", "NEEDLE-1 NEEDLE-2"), needles).fault == AnswerFault::mixed);
  CHECK(assay::find_needles(answered("a", "no idea"), needles).fault == AnswerFault::lost_needle);
}

TEST_CASE("UTF-8 is well-formed or not", "[serving]") {
  CHECK(assay::is_utf8("Aä€😀"));
  CHECK(assay::is_utf8(""));
  for (const char* bad : {"\x80", "\xc3", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"})
    CHECK_FALSE(assay::is_utf8(bad));
}

TEST_CASE("findings become an outcome", "[serving]") {
  const std::vector<assay::AnswerFinding> findings{{1, "a", AnswerFault::none, ""},
                                                   {2, "a", AnswerFault::swapped, "it is the answer to 'b'"}};
  const auto outcome = assay::answer_outcome(findings, 2, "check/golden");
  CHECK(outcome.verdict == assay::Verdict::fail);
  CHECK_THAT(outcome.reason, contains("1 of 2 answers are wrong: 1 swapped"));
  CHECK(assay::answer_outcome({}, 2, "x").verdict == assay::Verdict::pass);
  CHECK(assay::answer_outcome({}, 0, "x").verdict == assay::Verdict::inconclusive);
}
