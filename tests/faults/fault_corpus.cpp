#include "assay/faults/fault_corpus.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>

using namespace assay;

namespace {

/// A kernel whose case `bad` fails, if any; of three cases.
CorpusKernel kernel(const std::string& name, bool faulty, int bad, Verdict verdict = Verdict::fail) {
  CorpusKernel made;
  made.operation = "scale";
  made.name = name;
  if (faulty) made.fault = Fault{name, FaultClass::precision, "is made up", {}};
  made.suite = [=] {
    Suite suite;
    for (int i = 0; i < 3; ++i) {
      Case entry;
      entry.id = "scale/" + name + "/" + std::to_string(i);
      entry.labels["data"] = "data" + std::to_string(i);
      entry.run = [=](const CaseContext& context) {
        Outcome outcome;
        outcome.verdict = i == bad ? verdict : Verdict::pass;
        outcome.reason = "run " + std::to_string(context.repetitions) + " times";
        outcome.measure(measurement::worst_error_ratio, 0.25 * i);
        return outcome;
      };
      suite.push_back(entry);
    }
    suite.push_back(suite[0]);
    suite.back().tags = {"large"};
    return suite;
  };
  return made;
}

}  // namespace

TEST_CASE("a faulty kernel is validated until a case accuses it, a right one to the end") {
  const CorpusVerdict caught = validate(kernel("bad", true, 1));
  CHECK((caught.accused && caught.as_it_should() && caught.validations == 2));
  CHECK((caught.first_case == "scale/bad/1" && caught.data == "data1" && caught.reason == "run 1 times"));
  const CorpusVerdict missed = validate(kernel("bad", true, -1));
  CHECK((!missed.accused && !missed.as_it_should() && missed.validations == 3));
  const CorpusVerdict right = validate(kernel("good", false, -1));
  CHECK((!right.accused && right.as_it_should() && right.validations == 3 && right.worst_error_ratio == 0.5));
  CHECK_FALSE(validate(kernel("good", false, 2)).as_it_should());
  CHECK(validate(kernel("good", false, 2, Verdict::error)).accused);
  CHECK(validate(kernel("good", false, 2, Verdict::inconclusive)).inconclusive == 1);
}

TEST_CASE("what is proved invisible must not be seen") {
  CorpusKernel proved = kernel("bad", true, -1);
  proved.invisible_because = "nothing changes";
  CHECK(validate(proved).as_it_should());
  proved.suite = kernel("bad", true, 0).suite;
  CHECK_FALSE(validate(proved).as_it_should());
}

TEST_CASE("kernels that need many launches run their first case that often, others as often as they need") {
  CorpusKernel rare = kernel("rare", true, 0);
  rare.launches = 46050;
  CHECK(validate(rare).reason == "run 46050 times");
  rare.suite = kernel("rare", true, 1).suite;
  CHECK(validate(rare).validations == 1);
  CorpusRun patient;
  patient.most_launches = 50000;
  CHECK(validate(rare, patient).validations == 2);
}

TEST_CASE("a validator of the user's own is told of launches until it accuses one") {
  CorpusKernel observed = kernel("bad", true, 0);
  CHECK(validate(observed, [](const ObservedLaunch&) { return true; }).error().kind == ErrorKind::unsupported);
  observed.observe = [](const CorpusRun& how, const LaunchValidator& visit) -> Result<void> {
    for (int i = 0; i < 5; ++i) {
      ObservedLaunch launch;
      launch.case_id = "case " + std::to_string(i);
      launch.labels["data"] = "mine";
      launch.outputs.push_back({"y", {}, 1, 1, {static_cast<double>(i) + static_cast<double>(how.seed)}, {{1, 0}}});
      if (visit(launch)) return {};
    }
    return {};
  };
  const auto verdict =
      validate(observed, [](const ObservedLaunch& launch) { return launch.outputs[0].computed[0] == 3; });
  REQUIRE(verdict);
  CHECK((verdict.value().accused && verdict.value().validations == 3 && verdict.value().first_case == "case 2" &&
         verdict.value().data == "mine"));
}

TEST_CASE("a corpus takes kernels of one's own, and parts of it are chosen by a condition") {
  FaultCorpus corpus;
  corpus.add(kernel("bad", true, 1));
  corpus.add(kernel("good", false, -1));
  CHECK(corpus.where([](const CorpusKernel& entry) { return entry.fault.has_value(); }).kernels().size() == 1);
  CHECK(corpus.kernels()[0].id() == "scale/bad");
  CorpusKernel one = corpus.kernels()[0];
  one.formats = {"f32"};
  CHECK(one.id() == "scale/f32/bad");
}

TEST_CASE("anything that cases judge is a subject of a corpus, and its suite is asked anew each time") {
  unsigned asked = 0;
  const auto subject = [&](Verdict verdict, std::optional<Fault> fault) {
    return corpus_subject("store", "mine", std::move(fault), [&asked, verdict] {
      ++asked;
      Case entry;
      entry.id = "store/mine";
      entry.run = [verdict](const CaseContext&) {
        Outcome outcome;
        outcome.verdict = verdict;
        return outcome;
      };
      return Suite{entry};
    });
  };
  const Fault fault{"forgets", FaultClass::state, "forgets records", {"store"}};
  CHECK(validate(subject(Verdict::pass, {})).as_it_should());
  CHECK(validate(subject(Verdict::fail, fault)).as_it_should());
  CHECK_FALSE(validate(subject(Verdict::fail, {})).as_it_should());
  CHECK_FALSE(validate(subject(Verdict::pass, fault)).as_it_should());
  CHECK(asked == 4);
  const CorpusKernel kernel = subject(Verdict::pass, {});
  CHECK(kernel.id() == "store/mine");
  CHECK_FALSE(validate(kernel, [](const ObservedLaunch&) { return true; }));
}
