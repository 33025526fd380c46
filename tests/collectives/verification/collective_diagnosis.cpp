#include "assay/collectives/verification/collective_diagnosis.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::vector<RankFinding> four_right_ranks() {
  std::vector<RankFinding> findings(4);
  for (int rank = 0; rank < 4; ++rank) {
    findings[static_cast<std::size_t>(rank)].rank = rank;
    findings[static_cast<std::size_t>(rank)].elements = 10;
  }
  return findings;
}

}  // namespace

TEST_CASE("what ranks find apart becomes one cause") {
  CollectiveProblem problem;
  auto findings = four_right_ranks();
  CHECK(outcome_of(problem, "fake", 4, findings).verdict == Verdict::pass);
  CHECK(outcome_of(problem, "fake", 4, {}).verdict == Verdict::inconclusive);

  for (RankFinding& finding : findings) {
    finding.wrong = 3;
    finding.suspicions = {{"rank_dropped", 2, 0, 3, 1, "rank 2 is left out"},
                          {"stale_input", 1, 0, 3, 0.9, "less likely"}};
  }
  Outcome outcome = outcome_of(problem, "fake", 4, findings);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "rank_dropped");
  CHECK(outcome.label("fault_class") == "missing_work");
  CHECK(outcome.label("guilty_rank") == "2");
  CHECK(outcome.reason == "call 0: wrong on ranks 0, 1, 2, 3; rank_dropped of rank 2");
  CHECK(outcome.measurement(measurement::violations) == 12.0);
  CHECK(outcome.diagnosis.front() == "rank 2 is left out");
}

TEST_CASE("where two explanations fit, both are said, and nobody is named") {
  CollectiveProblem problem;
  auto findings = four_right_ranks();
  for (RankFinding& finding : findings) {
    finding.wrong = 3;
    finding.suspicions = {{"rank_dropped", 2, 0, 3, 1, "rank 2 is left out"},
                          {"contribution_duplicated", 1, 0, 3, 1, "rank 1 is counted twice"}};
  }
  Outcome outcome = outcome_of(problem, "fake", 4, findings);
  CHECK(outcome.label("guilty_rank").empty());
  CHECK(outcome.label("suspect_ranks") == "1, 2");
  CHECK(outcome.diagnosis == std::vector<std::string>{"rank 1 is counted twice", "rank 2 is left out"});
  CHECK(outcome.reason.find("rank 1 or rank 2") != std::string::npos);

  for (RankFinding& finding : findings) finding.suspicions = {{"rank_dropped", 2, 0, 1, 1, "left out", 0.3}};
  outcome = outcome_of(problem, "fake", 4, findings);
  CHECK(outcome.label("guilty_rank").empty());
  CHECK(outcome.label("suspect_ranks") == "2");
  CHECK(outcome.reason.find("perhaps of rank 2") != std::string::npos);

  for (RankFinding& finding : findings) finding.suspicions = {{"rank_dropped", finding.rank, 0, 1, 1, "as before"}};
  outcome = outcome_of(problem, "fake", 4, findings);  // all alike
  CHECK(outcome.label("guilty_rank").empty());
  CHECK(outcome.label("suspect_ranks").empty());
}

TEST_CASE("the rank that alone is wrong is named, whatever its values look like") {
  CollectiveProblem problem;
  auto findings = four_right_ranks();
  findings[3].wrong = 3;
  findings[3].suspicions = {{"rank_dropped", 2, 0, 3, 1, "rank 2 is left out"}};
  Outcome outcome = outcome_of(problem, "fake", 4, findings);
  CHECK(outcome.label("guilty_rank") == "3");
  CHECK(outcome.diagnosis.front().find("rank 3 alone is wrong") != std::string::npos);
  // each rank receives its own: what was lost within the algorithm, its sender or its receiver lost
  problem.operation = CollectiveOperation::reduce_scatter;
  outcome = outcome_of(problem, "fake", 4, findings);
  CHECK(outcome.label("guilty_rank").empty());
  CHECK(outcome.label("suspect_ranks") == "2, 3");
  problem.operation = CollectiveOperation::send_receive;  // either end of the message
  findings[3].suspicions = {{"bit_flip", 3, 0, 1, 1, "bit 3"}};
  CHECK(diagnose_collective(problem, findings).guilty == -1);
  CHECK(diagnose_collective(problem, findings).suspects == std::vector<int>{2, 3});
}

TEST_CASE("of two ranks that swapped, or whose numbers cancel, none is named") {
  CollectiveProblem problem;
  problem.operation = CollectiveOperation::all_gather;
  std::vector<RankFinding> findings(2);
  for (int rank = 0; rank < 2; ++rank) {
    RankFinding& finding = findings[static_cast<std::size_t>(rank)];
    finding.rank = rank;
    finding.elements = finding.wrong = 10;
    finding.suspicions = {{"ranks_permuted", 0, 0, 10, 1, "the block of the other rank"}};
  }
  CHECK(outcome_of(problem, "fake", 2, findings).label("guilty_rank").empty());
  CHECK(outcome_of(problem, "fake", 2, findings).label("suspect_ranks") == "0, 1");

  problem.operation = CollectiveOperation::all_reduce;
  for (RankFinding& finding : findings)
    finding.suspicions = {{"contribution_duplicated", 0, 0, 10, 1, "rank 0 is counted twice"}};
  CHECK(outcome_of(problem, "fake", 2, findings).label("guilty_rank") == "0");
  problem.data = CollectiveDataKind::canceling;
  CHECK(outcome_of(problem, "fake", 2, findings).label("guilty_rank").empty());
  CHECK(outcome_of(problem, "fake", 2, findings).label("suspect_ranks") == "0, 1");
}

TEST_CASE("ranks that have other bits than the rest are named, where there is a rest") {
  CollectiveProblem problem;
  auto findings = four_right_ranks();
  findings[1].hash = 5;
  Outcome outcome = outcome_of(problem, "fake", 4, findings);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "ranks_disagree");
  CHECK(outcome.label("guilty_rank") == "1");
  findings[2].hash = 5;
  outcome = outcome_of(problem, "fake", 4, findings);
  CHECK(outcome.label("fault") == "ranks_disagree");
  CHECK(outcome.label("guilty_rank").empty());
}

TEST_CASE("data that only the root gives, and last elements, are judged by all ranks together") {
  CollectiveProblem problem;
  problem.operation = CollectiveOperation::broadcast;
  problem.root = 1;
  auto findings = four_right_ranks();
  for (RankFinding& finding : findings) {
    finding.wrong = 10;
    finding.suspicions = {{"rank_dropped", finding.rank, 0, 10, 1, "as before the call"}};
  }
  CHECK(diagnose_collective(problem, findings).fault == "wrong_root");
  for (RankFinding& finding : findings)
    finding.suspicions = {{"previous_output", finding.rank, 0, 10, 1, "what the call before gave"}};
  CHECK(diagnose_collective(problem, findings).fault == "stale_input");
  CHECK(diagnose_collective(problem, findings).guilty == 1);

  findings = four_right_ranks();
  problem.operation = CollectiveOperation::all_reduce;
  findings[3].wrong = 1;
  findings[3].suspicions = {{"remainder_lost", -1, 9, 1, 1, "last"}, {"torn_tail", 3, 9, 1, 0.99, "last"}};
  CHECK(diagnose_collective(problem, findings).fault == "torn_tail");
  findings[3].suspicions = {{"bit_flip", 3, 9, 1, 1, "bit 7"}};
  CHECK(outcome_of(problem, "fake", 4, findings, 0).label("fault") == "bit_flip");
  CHECK(outcome_of(problem, "fake", 4, findings, 20).label("fault") == "intermittent_bit_flip");
}

TEST_CASE("calls that fail are no passes: the rank that failed first is told, not those that it took along") {
  CollectiveProblem problem;
  auto findings = four_right_ranks();
  findings[0].error = Error{ErrorKind::aborted, "given up"};
  findings[2].error = Error{ErrorKind::device, "link down"};
  Outcome outcome = outcome_of(problem, "fake", 4, findings);
  CHECK(outcome.verdict == Verdict::error);
  CHECK(outcome.reason == "call 0, rank 2: link down");
  findings[2].error->kind = ErrorKind::timed_out;
  CHECK(outcome_of(problem, "fake", 4, findings).verdict == Verdict::fail);
  for (RankFinding& finding : findings) finding.error = Error{ErrorKind::unsupported, "no such thing"};
  CHECK(outcome_of(problem, "fake", 4, findings).verdict == Verdict::unsupported);
  findings[1].error.reset();
  CHECK(outcome_of(problem, "fake", 4, findings).verdict == Verdict::error);
}
