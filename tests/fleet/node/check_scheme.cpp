#include "assay/fleet/node/check_scheme.hpp"

#include "assay/report/text.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("exit codes are those of who asks") {
  const auto codes = [](CheckScheme scheme) {
    std::vector<int> all;
    for (const HealthLevel level : {HealthLevel::ok, HealthLevel::warning, HealthLevel::critical, HealthLevel::unknown})
      all.push_back(exit_code(scheme, level));
    return all;
  };
  CHECK(codes(CheckScheme::npd) == std::vector<int>{0, 0, 1, 2});
  CHECK(codes(CheckScheme::nagios) == std::vector<int>{0, 1, 2, 3});
  CHECK(codes(CheckScheme::slurm) == std::vector<int>{0, 0, 1, 1});
  CHECK(codes(CheckScheme::nvidia) == std::vector<int>{0, 0, 1, 1});
  for (const CheckScheme scheme : all_check_schemes) {
    CHECK(check_scheme_named(name_of(scheme)).value() == scheme);
    CHECK(no_verdict_code(scheme) != 0);
    CHECK(exit_code(scheme, HealthLevel::unknown) != 0);
  }
  CHECK(no_verdict_code(CheckScheme::nvidia) == 2);
  CHECK(time_limit_seconds(CheckScheme::npd) < 5);
  CHECK_THAT(check_scheme_named("nagos").error().message, contains("nearest: nagios"));
}

TEST_CASE("the verdict stands in the first 80 bytes, whatever is told") {
  NodeReport report;
  report.level = HealthLevel::ok;
  report.devices_present = 8;
  report.devices_expected = 8;
  report.checks = 40;
  CHECK(verdict_line(report) == "OK 8/8 devices, 40 checks");
  report.level = HealthLevel::critical;
  report.findings = {{HealthLevel::critical, "gpu3 is absent", {}}, {HealthLevel::warning, "x", {}}};
  CHECK(verdict_line(report) == "CRITICAL (+1) gpu3 is absent");
  for (std::size_t length = 0; length < 200; ++length) {
    std::string what;
    for (std::size_t i = 0; i < length; ++i) what += i % 3 == 0 ? "é" : "\n";
    report.findings[0].what = what;
    const std::string line = verdict_line(report);
    CHECK(line.size() < verdict_bytes);
    CHECK(line == visible(line));
    CHECK(line.find("CRITICAL (+1)") == 0);
  }
}
