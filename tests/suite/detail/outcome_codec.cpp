#include "assay/suite/detail/outcome_codec.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "assay/suite/detail/case_request.hpp"
#include "assay/suite/detail/frame.hpp"
#include "suite/misbehaving_cases.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::detail;
using assay::testing::rich_outcome;

namespace {

Outcome full_outcome() {
  Outcome outcome = rich_outcome(7);
  outcome.id = "a/b";
  outcome.seed = ~std::uint64_t{0};
  outcome.duration_seconds = 0.1;
  outcome.reproduce = "assay run --only 'a/b'";
  return outcome;
}

std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

}  // namespace

TEST_CASE("an outcome comes out as it went in, every field and every bit", "[suite][isolation]") {
  const Outcome in = full_outcome();
  const auto decoded = decode_outcome(encode_outcome(in));
  REQUIRE(decoded);
  const Outcome& out = decoded.value();
  CHECK(out.id == in.id);
  CHECK(out.verdict == in.verdict);
  CHECK(out.reason == in.reason);
  CHECK(out.diagnosis == in.diagnosis);
  CHECK(out.derivation == in.derivation);
  REQUIRE(out.measurements.size() == in.measurements.size());
  for (std::size_t i = 0; i < in.measurements.size(); ++i) {
    CHECK(out.measurements[i].name == in.measurements[i].name);
    CHECK(bits_of(out.measurements[i].value) == bits_of(in.measurements[i].value));
    CHECK(out.measurements[i].unit == in.measurements[i].unit);
  }
  REQUIRE(out.tables.size() == 2);
  CHECK(out.tables[0].title == in.tables[0].title);
  CHECK(out.tables[0].columns == in.tables[0].columns);
  CHECK(out.tables[0].rows == in.tables[0].rows);
  REQUIRE(out.series.size() == 1);
  CHECK(out.series[0].title == in.series[0].title);
  CHECK(out.series[0].x_label == in.series[0].x_label);
  CHECK(out.series[0].y_label == in.series[0].y_label);
  REQUIRE(out.series[0].points.size() == 2);
  CHECK(bits_of(out.series[0].points[1].first) == bits_of(in.series[0].points[1].first));
  CHECK(out.series[0].points[1].second == in.series[0].points[1].second);
  REQUIRE(out.heat_maps.size() == 2);
  CHECK(out.heat_maps[0].title == "map");
  CHECK(out.heat_maps[0].rows == 2);
  CHECK(out.heat_maps[0].columns == 3);
  CHECK(out.heat_maps[0].rows_per_cell == 16);
  CHECK(out.heat_maps[0].columns_per_cell == -1);
  REQUIRE(out.heat_maps[0].values.size() == 6);
  CHECK(bits_of(out.heat_maps[0].values[5]) == bits_of(in.heat_maps[0].values[5]));
  CHECK(out.labels == in.labels);
  CHECK(out.seed == in.seed);
  CHECK(out.duration_seconds == in.duration_seconds);
  CHECK(out.reproduce == in.reproduce);
  for (const Verdict verdict : all_verdicts) {
    Outcome outcome;
    outcome.verdict = verdict;
    CHECK(decode_outcome(encode_outcome(outcome)).value().verdict == verdict);
  }
}

TEST_CASE("an outcome cut short or with a rest is refused", "[suite][isolation]") {
  const std::string whole = encode_outcome(full_outcome());
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(decode_outcome(whole.substr(0, size)));
  CHECK_FALSE(decode_outcome(whole + '\0'));
  CHECK(decode_outcome(whole));
}

TEST_CASE("a verdict or a heat map that cannot be is refused", "[suite][isolation]") {
  Outcome outcome;
  outcome.verdict = static_cast<Verdict>(7);
  CHECK_FALSE(decode_outcome(encode_outcome(outcome)));
  outcome.verdict = static_cast<Verdict>(-1);
  CHECK_FALSE(decode_outcome(encode_outcome(outcome)));
  outcome.verdict = Verdict::pass;
  const std::size_t half = std::size_t{1} << (4 * sizeof(std::size_t));
  for (const HeatMap& map :
       {HeatMap{"", 2, 2, 1, 1, {1, 2, 3}}, HeatMap{"", half, half, 1, 1, {}}, HeatMap{"", 5, 0, 1, 1, {1}}}) {
    outcome.heat_maps = {map};
    CHECK_FALSE(decode_outcome(encode_outcome(outcome)));
  }
}

TEST_CASE("bytes with errors are refused or read as some outcome, and claim no memory", "[suite][isolation]") {
  std::mt19937_64 random(3);
  const std::string whole = encode_outcome(full_outcome());
  std::size_t refused = 0;
  constexpr std::size_t rounds = 20'000;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string bytes = whole;
    for (std::size_t faults = 1 + random() % 3; faults > 0; --faults) {
      const std::size_t at = random() % bytes.size();
      if (random() % 2 == 0)
        bytes[at] = static_cast<char>(random());
      else
        bytes.replace(at, 8,
                      std::string(8, static_cast<char>(random() % 4 == 0 ? 0x7F : random())));  // sizes of up to 2^63
      if (random() % 4 == 0) bytes.resize(random() % bytes.size() + 1);
    }
    if (const auto decoded = decode_outcome(bytes))
      CHECK(encode_outcome(decoded.value()).size() == bytes.size());
    else
      ++refused;
  }
  CHECK(refused > rounds / 4);
  for (std::size_t round = 0; round < 1000; ++round) {
    std::string noise(random() % 400, '\0');
    for (char& byte : noise) byte = static_cast<char>(random() % 8 == 0 ? random() : 0);
    CHECK_FALSE((decode_outcome(noise) && noise.size() < 14 * 8));
    static_cast<void>(decode_request(noise));
  }
}

TEST_CASE("a request comes out as it went in", "[suite][isolation]") {
  const CaseRequest in{"gemm/host", ~std::uint64_t{0}, 3, "assay run --a 'x'"};
  const auto out = decode_request(encode_request(in));
  REQUIRE(out);
  CHECK(out.value().id == in.id);
  CHECK(out.value().options().seed == in.run_seed);
  CHECK(out.value().options().repetitions == 3);
  CHECK(out.value().options().reproduce_with == in.reproduce_with);
  CHECK_FALSE(decode_request(encode_request(in).substr(1)));
}

TEST_CASE("messages survive any cutting of their stream", "[suite][isolation]") {
  std::string stream;
  for (unsigned i = 0; i < 50; ++i)
    append_frame(stream, MessageKind::performed, i, std::string(i * 37 % 300, static_cast<char>(i)));
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{40}, stream.size()}) {
    FrameReader reader;
    unsigned next = 0;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      reader.add(std::string_view(stream).substr(at, step));
      for (;;) {
        auto message = reader.next();
        REQUIRE(message);
        if (!message.value()) break;
        CHECK(message.value()->ticket == next);
        CHECK(message.value()->payload == std::string(next * 37 % 300, static_cast<char>(next)));
        ++next;
      }
    }
    CHECK(next == 50);
  }
}

TEST_CASE("every flipped bit of a message is noticed, and nobody waits for the bytes that it claims",
          "[suite][isolation]") {
  std::string frame;
  append_frame(frame, MessageKind::performed, 5, "an outcome");
  for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
    std::string damaged = frame;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    FrameReader reader;
    reader.add(damaged);
    CHECK_FALSE(reader.next());
  }
  FrameReader reader;
  reader.add("g");
  CHECK_FALSE(reader.next());
}

TEST_CASE("a message larger than any is refused by its header", "[suite][isolation]") {
  std::string frame;
  append_frame(frame, MessageKind::performed, 5, {});
  FrameHeader header;
  std::memcpy(static_cast<void*>(&header), frame.data(), sizeof header);
  header.payload_size = std::uint64_t{1} << 60;
  header.header_checksum = checksum_of(header);
  std::memcpy(frame.data(), &header, sizeof header);
  FrameReader reader;
  reader.add(frame);
  const auto message = reader.next();
  REQUIRE_FALSE(message);
  CHECK_THAT(message.error().message, assay::testing::contains("claims 1152921504606846976 bytes"));
}
