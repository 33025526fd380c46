#include "assay/validators/envelope/envelope_file.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace assay;

TEST_CASE("an envelope is read back as it was written, without limits that say nothing") {
  Envelope envelope;
  envelope.rate = 0.05;
  envelope.groups["gemm bf16.f32.bf16 m64 normal"] = {
      120, {"host", "onednn"}, {{"bias", 0.1}, {"max_ulp_error", std::numeric_limits<double>::infinity()}}};
  const auto back = read_envelope_text(envelope_text(envelope));
  REQUIRE(back);
  CHECK(back.value().rate == 0.05);
  const EnvelopeGroup& group = back.value().groups.at("gemm bf16.f32.bf16 m64 normal");
  CHECK(group.runs == 120);
  CHECK(group.units == std::set<std::string>{"host", "onednn"});
  CHECK(group.limits == std::map<std::string, double>{{"bias", 0.1}});
}

TEST_CASE("files that are no envelopes are refused") {
  CHECK(read_envelope_text("{").error().kind == ErrorKind::malformed);
  CHECK(read_envelope_text(R"({"schema": "assay-run/1"})").error().message.find("assay-run/1") != std::string::npos);
  CHECK(read_envelope_text(R"({"schema": "assay-envelope/1", "rate": 2, "groups": {}})").error().message.find("rate") !=
        std::string::npos);
  CHECK(read_envelope("/nowhere/envelope.json").error().message.find("/nowhere/envelope.json") != std::string::npos);
}
