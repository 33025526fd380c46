#include "assay/serving/batched_decoder.hpp"

#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

bool equal(const assay::DecodedAnswer& a, const assay::DecodedAnswer& b) {
  return a.tokens == b.tokens && a.logits == b.logits;
}

std::vector<assay::DecodeRequest> many() {
  std::vector<assay::DecodeRequest> requests;
  for (std::size_t i = 0; i < 20; ++i) {
    std::vector<std::size_t> prompt;
    for (std::size_t j = 0; j < 5 + 7 * i % 23; ++j) prompt.push_back((j < 8 ? j * 5 : i * j + i) % 32);
    requests.push_back({prompt, i % 3, 3 + i % 9, 1 + i % 2});
  }
  return requests;
}

}  // namespace

TEST_CASE("pages, chunks, batches and preemption keep every bit", "[serving]") {
  const assay::TinyDecoder decoder;
  const auto requests = many();
  for (const std::size_t blocks : {14u, 20u, 200u})
    for (const std::size_t chunk : {1u, 3u, 64u})
      for (const std::size_t batch : {1u, 5u}) {
        CAPTURE(blocks, chunk, batch);
        assay::BatchedDecoder engine(decoder, {blocks, 4, batch, chunk});
        for (int pass = 0; pass < 2; ++pass) {
          const auto answers = engine.run(requests);
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < requests.size(); ++i) {
            const auto right = assay::decode_alone(decoder, requests[i]);
            REQUIRE(answers[i].size() == right.size());
            for (std::size_t choice = 0; choice < right.size(); ++choice)
              wrong += equal(answers[i][choice], right[choice]) ? 0 : 1;
          }
          CHECK(wrong == 0);
        }
        if (batch == 5 && blocks == 14) CHECK(engine.preemptions() > 0);
        if (blocks == 200) CHECK(engine.preemptions() == 0);
        CHECK(engine.cached_slots() > 0);
      }
}

TEST_CASE("without a prefix cache nothing is read from it", "[serving]") {
  const assay::TinyDecoder decoder;
  assay::BatchedDecoder engine(decoder, {64, 4, 4, 3, false});
  CHECK(engine.run(many()).size() == 20);
  CHECK(engine.cached_slots() == 0);
}
