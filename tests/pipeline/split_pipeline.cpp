#include "assay/pipeline/split_pipeline.hpp"

#include <cmath>

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;

/// An edge encodes for 10 ms, a server, whose clock is elsewhere, works for 30, 5 ms go by on the wire.
SplitRequest sound(int number) {
  const double begin = 100 + number;
  SplitRequest request{"r" + std::to_string(number), begin, begin + 0.045, {}, false, false, {}, {}};
  request.spans = {{"encode", "edge", begin, begin + 0.010}, {"model", "server", 7e6 + number, 7e6 + number + 0.030}};
  request.answer = request.reference = StageTensor{{2}, {1.0, 2.0}};
  return request;
}

SplitRequest by_fallback(int number) {
  SplitRequest request = sound(number);
  request.cut = request.fell_back = true;
  request.spans[1] = {"small_model", "edge", request.begin + 0.020, request.begin + 0.040};
  request.answer = StageTensor{{2}, {1.04, 2.0}};
  return request;
}

std::vector<SplitRequest> all_sound() {
  std::vector<SplitRequest> requests;
  for (int i = 0; i < 40; ++i) requests.push_back(i % 8 == 7 ? by_fallback(i) : sound(i));
  return requests;
}

SplitPromise promise() {
  SplitPromise all;
  all.stages = {"encode", "model"};
  all.fallback = {"encode", "small_model"};
  all.deadline = 0.05;
  all.stage_deadlines = {{"model", 0.035}};
  all.cost_per_second = {{"edge", 1}, {"server", 10}};
  all.answers.absolute = 1e-6;
  all.fallback_answers.absolute = 0.05;
  return all;
}

bool near(const std::optional<double>& measured, double expected) {
  return measured && std::abs(*measured - expected) < 1e-6;
}

const Outcome& of(const std::vector<Outcome>& outcomes, const std::string& check) {
  for (const Outcome& outcome : outcomes)
    if (outcome.id == "pipeline/split/" + check) return outcome;
  FAIL("no outcome " << check);
  throw 0;
}

}  // namespace

TEST_CASE("A sound application passes, and its stages are measured by their own clocks", "[pipeline]") {
  const auto outcomes = check_split_pipeline("split", promise(), all_sound());
  for (const char* check : {"way", "deadline", "stage/model", "fallback", "answers", "fallback_answers"})
    CHECK(of(outcomes, check).verdict == Verdict::pass);
  CHECK(of(outcomes, "stage/encode").verdict == Verdict::new_baseline);
  CHECK(near(of(outcomes, "stage/model").measurement("median"), 0.030));
  CHECK(near(of(outcomes, "stage/model").measurement("cost"), 0.3));
  CHECK(near(of(outcomes, "between").measurement("median"), 0.005));
  CHECK(of(outcomes, "fallback").measurement("cut") == 5);
  CHECK(of(outcomes, "answers").measurement("compared") == 35);
  CHECK(of(outcomes, "deadline").tables.front().rows.size() == 4);
}

TEST_CASE("A late stage is named, be it a stage or the way between", "[pipeline]") {
  auto requests = all_sound();
  requests[3].spans[1].end += 0.020;
  requests[3].end += 0.020;
  auto outcomes = check_split_pipeline("split", promise(), requests);
  CHECK(of(outcomes, "deadline").verdict == Verdict::fail);
  CHECK(of(outcomes, "deadline").label("slowest") == "model");
  CHECK(of(outcomes, "stage/model").verdict == Verdict::fail);
  CHECK(of(outcomes, "fallback").verdict == Verdict::pass);
  requests = all_sound();
  requests[5].end += 0.020;
  outcomes = check_split_pipeline("split", promise(), requests);
  CHECK(of(outcomes, "deadline").label("slowest") == "between stages");
  CHECK(of(outcomes, "stage/model").verdict == Verdict::pass);
}

TEST_CASE("A share that may be late is a claim with an interval", "[pipeline]") {
  SplitPromise lenient = promise();
  lenient.late_share = 0.05;
  auto requests = all_sound();
  CHECK(of(check_split_pipeline("split", lenient, requests), "deadline").verdict == Verdict::inconclusive);
  while (requests.size() < 400) requests.push_back(sound(static_cast<int>(requests.size())));
  CHECK(of(check_split_pipeline("split", lenient, requests), "deadline").verdict == Verdict::pass);
  for (std::size_t i = 0; i < 60; ++i) requests[2 * i].end += 1;
  CHECK(of(check_split_pipeline("split", lenient, requests), "deadline").verdict == Verdict::fail);
}

TEST_CASE("A fallback that never engages, or needlessly, or was never tried", "[pipeline]") {
  auto requests = all_sound();
  for (SplitRequest& request : requests)
    if (request.cut) {
      request.fell_back = false;
      request.answer.reset();
      request.spans.pop_back();
    }
  auto outcomes = check_split_pipeline("split", promise(), requests);
  CHECK(of(outcomes, "fallback").verdict == Verdict::fail);
  CHECK(of(outcomes, "fallback").reason.find("5 of 5") == 0);
  CHECK(of(outcomes, "deadline").verdict == Verdict::fail);
  CHECK(of(outcomes, "fallback_answers").verdict == Verdict::inconclusive);
  requests = all_sound();
  requests[7].cut = false;
  CHECK(of(check_split_pipeline("split", promise(), requests), "fallback").verdict == Verdict::fail);
  requests = {sound(0), sound(1)};
  CHECK(of(check_split_pipeline("split", promise(), requests), "fallback").verdict == Verdict::inconclusive);
  SplitPromise alone = promise();
  alone.fallback.clear();
  CHECK(of(check_split_pipeline("split", alone, requests), "fallback").verdict == Verdict::skipped);
  CHECK(of(check_split_pipeline("split", alone, requests), "fallback_answers").verdict == Verdict::skipped);
}

TEST_CASE("Answers are held to the bound of who gave them", "[pipeline]") {
  auto requests = all_sound();
  std::get<StageTensor>(*requests[7].answer).values[0] = 1.06;
  auto outcomes = check_split_pipeline("split", promise(), requests);
  CHECK(of(outcomes, "fallback_answers").verdict == Verdict::fail);
  CHECK(of(outcomes, "answers").verdict == Verdict::pass);
  std::get<StageTensor>(*requests[0].answer).values[0] = 1.04;  // good enough for the fallback alone
  CHECK(of(check_split_pipeline("split", promise(), requests), "answers").verdict == Verdict::fail);
  requests = all_sound();
  requests[0].reference.reset();
  CHECK(of(check_split_pipeline("split", promise(), requests), "answers").verdict == Verdict::inconclusive);
}

TEST_CASE("A way that is not the right one is told with the request", "[pipeline]") {
  const auto reason = [](SplitRequest request) {
    const auto outcomes = check_split_pipeline("split", promise(), {request, sound(1)});
    CHECK(of(outcomes, "way").verdict == Verdict::fail);
    return of(outcomes, "way").reason;
  };
  SplitRequest request = sound(0);
  request.spans.pop_back();
  CHECK(reason(request).find("'r0' did not pass model") != std::string::npos);
  request = sound(0);
  request.spans.push_back(request.spans[0]);
  CHECK(reason(request).find("encode more than once") != std::string::npos);
  request = sound(0);
  request.spans.push_back({"other", "edge", 100, 100});
  CHECK(reason(request).find("other, which is not on its way") != std::string::npos);
  request = sound(0);
  request.spans[1].end = 7e6 - 1;
  CHECK(reason(request).find("ends before it begins") != std::string::npos);
  request = sound(0);
  request.spans[1].end += 1;
  CHECK(reason(request).find("longer in model than it took in all") != std::string::npos);
  CHECK(reason(sound(1)).find("recorded twice") != std::string::npos);
  const auto nothing = check_split_pipeline("split", promise(), {});
  for (const char* check : {"way", "deadline", "fallback", "answers"})
    CHECK(of(nothing, check).verdict == Verdict::inconclusive);
  CHECK_THROWS_AS(check_split_pipeline("split", {}, {}), Misuse);
}
