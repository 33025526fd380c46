#include "assay/serving/engine_check.hpp"

#include <map>
#include <set>

#include "assay/serving/batched_decoder.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

/// Names of the checks that the engine fails.
std::set<std::string> failed_of(assay::BatchedDecoderOptions engine_options,
                                const assay::EngineCheckOptions& options = {}) {
  const assay::TinyDecoder decoder;
  assay::BatchedDecoder engine(decoder, engine_options);
  std::set<std::string> failed;
  for (const auto& outcome : assay::check_engine(
           [&](std::span<const assay::DecodeRequest> requests) { return engine.run(requests); },
           [&](const assay::DecodeRequest& request) { return assay::decode_alone(decoder, request); }, options)) {
    CHECK(outcome.id == "serving/engine/" + outcome.label("check"));
    if (outcome.verdict == assay::Verdict::fail) failed.insert(outcome.label("check"));
  }
  return failed;
}

}  // namespace

TEST_CASE("a right engine is not accused, whatever its pages, chunks, batches and memory", "[serving]") {
  for (const std::uint64_t seed : {1u, 2u, 3u})
    for (const assay::BatchedDecoderOptions& engine :
         {assay::BatchedDecoderOptions{40, 4, 4, 3}, {400, 16, 8, 64}, {90, 1, 3, 1}, {40, 4, 1, 3, false}}) {
      assay::EngineCheckOptions options;
      options.seed = seed;
      CHECK(failed_of(engine, options).empty());
    }
}

TEST_CASE("each wrong rule is caught by the check that is made for it", "[serving]") {
  using Fault = assay::EngineFault;
  const std::map<Fault, std::string> made_for{
      {Fault::no_copy_on_write, "branches"},    {Fault::evicts_in_use, "memory"},
      {Fault::stale_index, "memory"},           {Fault::key_without_prefix, "prefix"},
      {Fault::key_without_adapter, "adapters"}, {Fault::partial_block_shared, "prefix"},
      {Fault::table_not_moved, "batch"},        {Fault::resumed_without_recompute, "memory"},
      {Fault::chunk_forgets, "lengths"},        {Fault::chunk_restarts_positions, "lengths"},
      {Fault::padding_attended, "batch"},       {Fault::batch_reorders_sums, "batch"},
      {Fault::adapter_of_first, "adapters"}};
  CHECK(made_for.size() + 1 == assay::all_engine_faults.size());
  for (const auto& [fault, check] : made_for)
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      CAPTURE(static_cast<int>(fault), seed, check);
      assay::EngineCheckOptions options;
      options.seed = seed;
      CHECK(failed_of({40, 4, 4, 3, true, fault}, options).count(check) == 1);
    }
}

TEST_CASE("rounding is let pass within a bound, another token is not", "[serving]") {
  assay::EngineCheckOptions options;
  options.most_difference = 1e-4;
  CHECK(failed_of({40, 4, 4, 3, true, assay::EngineFault::batch_reorders_sums}, options).empty());
  CHECK_FALSE(failed_of({40, 4, 4, 3, true, assay::EngineFault::padding_attended}, options).empty());
}

TEST_CASE("answers that are missing, short or of another number are named", "[serving]") {
  const assay::TinyDecoder decoder;
  const auto right = [&](const assay::DecodeRequest& request) { return assay::decode_alone(decoder, request); };
  const auto reason = [&](auto change) {
    const auto outcomes = assay::check_engine(
        [&](std::span<const assay::DecodeRequest> requests) {
          assay::DecodedAnswers answers;
          for (const auto& request : requests) answers.push_back(right(request));
          change(answers);
          return answers;
        },
        right);
    return outcomes.front().reason;
  };
  CHECK(reason([](auto&) {}).empty());
  CHECK_THAT(reason([](auto& answers) { answers.pop_back(); }), contains("it has no answer"));
  CHECK_THAT(reason([](auto& answers) { answers[2].clear(); }), contains("0 answers; 1 were asked for"));
  CHECK_THAT(reason([](auto& answers) {
               answers[2][0].logits.clear();
               answers[2][0].tokens.resize(2);
             }),
             contains("request 2 (prompt of 3 tokens, adapter 0): answer 0, ends after 2 tokens"));
  CHECK_THAT(reason([](auto& answers) { answers[2][0].tokens[1] ^= 1; }), contains("token 1 is"));
  CHECK_THAT(reason([](auto& answers) { answers[2][0].logits[1][0] = NAN; }), contains("logits differ by NaN"));
}

TEST_CASE("what an engine does not have is skipped", "[serving]") {
  const assay::TinyDecoder decoder;
  assay::EngineCheckOptions options;
  options.adapters = 0;
  options.answers = 1;
  std::size_t skipped = 0;
  const auto right = [&](const assay::DecodeRequest& request) { return assay::decode_alone(decoder, request); };
  for (const auto& outcome : assay::check_engine(
           [&](std::span<const assay::DecodeRequest> requests) {
             assay::DecodedAnswers answers;
             for (const auto& request : requests) answers.push_back(right(request));
             return answers;
           },
           right, options))
    skipped += outcome.verdict == assay::Verdict::skipped ? 1 : 0;
  CHECK(skipped == 2);
}
