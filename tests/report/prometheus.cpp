#include "assay/report/prometheus.hpp"

#include <cmath>
#include <limits>

#include "assay/report/read_file.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

MetricFamily temperature() {
  return {"assay_device_temperature_celsius",
          MetricKind::gauge,
          "celsius",
          "Temperature of a device.",
          {{{{"device", "gpu0"}}, 61.5}, {{{"device", "gpu1"}}, std::nullopt}},
          true};
}
MetricFamily energy() {
  return {"assay_device_energy_joules_total",
          MetricKind::counter,
          "joules",
          "Energy since the driver was loaded.",
          {{{{"device", "gpu0"}}, 1e9}}};
}

std::string refusal(const MetricFamily& family) {
  const auto text = metrics_text({family});
  return text ? std::string() : text.error().message;
}

}  // namespace

TEST_CASE("what was not measured is left out, and said to be absent") {
  CHECK(metrics_text({temperature()}).value() ==
        "# HELP assay_device_temperature_celsius Temperature of a device.\n"
        "# TYPE assay_device_temperature_celsius gauge\n"
        "assay_device_temperature_celsius{device=\"gpu0\"} 61.5\n"
        "# HELP assay_device_temperature_celsius_present Whether assay_device_temperature_celsius could be read.\n"
        "# TYPE assay_device_temperature_celsius_present gauge\n"
        "assay_device_temperature_celsius_present{device=\"gpu0\"} 1\n"
        "assay_device_temperature_celsius_present{device=\"gpu1\"} 0\n");
  MetricFamily family = temperature();
  family.presence = false;
  family.samples[0].value = std::numeric_limits<double>::quiet_NaN();
  family.samples[1].value = std::numeric_limits<double>::infinity();
  CHECK_THAT(metrics_text({family}).value(), !contains("gpu"));
}

TEST_CASE("OpenMetrics has units, counters without _total in their names, and an end") {
  CHECK(metrics_text({energy()}, MetricForm::open_metrics).value() ==
        "# TYPE assay_device_energy_joules counter\n"
        "# UNIT assay_device_energy_joules joules\n"
        "# HELP assay_device_energy_joules Energy since the driver was loaded.\n"
        "assay_device_energy_joules_total{device=\"gpu0\"} 1e+09\n"
        "# EOF\n");
  CHECK(metrics_text({}, MetricForm::open_metrics).value() == "# EOF\n");
  CHECK_THAT(content_type(MetricForm::open_metrics), contains("openmetrics"));
}

TEST_CASE("labels hold any text") {
  MetricFamily family = energy();
  family.samples[0].labels["device"] = "a\"b\\c\nd\xFF";
  CHECK_THAT(metrics_text({family}).value(), contains(R"({device="a\"b\\c\nd�"})"));
}

TEST_CASE("what readers would drop, or misunderstand, is refused") {
  const auto changed = [](auto change) {
    MetricFamily family = energy();
    change(family);
    return refusal(family);
  };
  CHECK(refusal(energy()).empty());
  CHECK_THAT(changed([](auto& f) { f.name = "2x_total"; }), contains("no digit first"));
  CHECK_THAT(changed([](auto& f) { f.name = ""; }), contains("no digit first"));
  CHECK_THAT(changed([](auto& f) { f.name = "a_joules"; }), contains("ends in _total"));
  CHECK_THAT(changed([](auto& f) { f.kind = MetricKind::gauge; }), contains("_total ends names of counters only"));
  CHECK_THAT(changed([](auto& f) { f.unit = "joule"; }), contains("nearest: joules"));
  CHECK_THAT(changed([](auto& f) { f.unit = "seconds"; }), contains("does not end in its unit"));
  CHECK_THAT(changed([](auto& f) { f.help = ""; }), contains("no help"));
  CHECK_THAT(changed([](auto& f) { f.samples[0].value = -1; }), contains("never below 0"));
  CHECK_THAT(changed([](auto& f) { f.samples.push_back(f.samples[0]); }), contains("two samples have the labels"));
  CHECK_THAT(changed([](auto& f) { f.samples[0].labels["__name"] = "x"; }), contains("no name of a label"));
  CHECK_THAT(changed([](auto& f) { f.samples[0].labels["a-b"] = "x"; }), contains("no name of a label"));
  CHECK_THAT(metrics_text({energy(), energy()}).error().message, contains("given twice"));
  MetricFamily clash = temperature();
  clash.name += "_present";
  clash.unit = "";
  clash.presence = false;
  CHECK_THAT(metrics_text({temperature(), clash}).error().message, contains("given twice"));
}

TEST_CASE("a textfile is whole and has the name that is read") {
  const testing::TemporaryFolder folder;
  REQUIRE(write_metrics({energy()}, folder.path / "assay.prom").has_value());
  CHECK(read_file(folder.path / "assay.prom").value() == metrics_text({energy()}).value());
  CHECK_THAT(write_metrics({energy()}, folder.path / "assay.txt").error().message, contains(".prom"));
  MetricFamily wrong = energy();
  wrong.help.clear();
  CHECK_FALSE(write_metrics({wrong}, folder.path / "assay.prom").has_value());
  CHECK_FALSE(read_file(folder.path / "assay.prom").value().empty());  // the old one stays
}

TEST_CASE("a run as metrics") {
  Run run;
  run.planned_cases = 3;
  run.outcomes.resize(2);
  run.outcomes[0].id = "gemm/1";
  run.outcomes[0].verdict = Verdict::fail;
  run.outcomes[1].verdict = Verdict::pass;
  const std::string text = metrics_text(run_metrics(run, {{"node", "n1"}})).value();
  CHECK_THAT(text, contains("assay_run_outcomes{node=\"n1\",verdict=\"fail\"} 1\n"));
  CHECK_THAT(text, contains("assay_run_outcomes{node=\"n1\",verdict=\"skipped\"} 0\n"));
  CHECK_THAT(text, contains("assay_case_failed{case=\"gemm/1\",node=\"n1\"} 1\n"));
  CHECK_THAT(text, contains("assay_run_exit_code{node=\"n1\"} 1\n"));
  run.outcomes.assign(300, run.outcomes[0]);
  CHECK(run_metrics(run).back().samples.size() == 1);  // one case, told once
}
