#include "assay/fleet/capacity/kv_cache.hpp"

#include "assay/fleet/capacity/storage_format.hpp"
#include "fleet/capacity/models.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {
constexpr double gibibyte = 1073741824, mebibyte = 1048576;
}

TEST_CASE("bytes of a token, as they were published") {
  CHECK(kv_bytes_per_token(llama_3_70b()) == 327'680);
  CHECK(kv_bytes_per_token(llama_3_8b()) == 131'072);
  CHECK(kv_bytes_per_token(gpt_oss_120b()) == 73'728);  // all layers, while nothing slides out
  CHECK(kv_bytes_per_token(deepseek_r1()) == 70'272);
  KvCachePolicy fp8;
  fp8.key_bytes = fp8.value_bytes = 1;
  CHECK(kv_bytes_per_token(hybrid_27b(), fp8) == 32'768);
}

TEST_CASE("a plain cache keeps all tokens of sliding layers, a windowed one does not") {
  KvCachePolicy plain;
  plain.windows = false;
  CHECK(static_cast<double>(kv_tokens_within(gpt_oss_120b(), 5.38 * gibibyte, plain)) == Approx(78'384).epsilon(5e-4));
  const KvCacheSize windowed = kv_cache(gpt_oss_120b(), 1, 100'000);
  CHECK(windowed.total() == 36'864.0 * (100'000 + 128));  // 18 layers of either kind
  CHECK(kv_cache(gpt_oss_120b(), 1, 100'000, plain).total() == 73'728.0 * 100'000);
  CHECK(kv_cache(gemma_3_270m(), 1, 1536, plain).total() == 27 * mebibyte);
  CHECK(kv_cache(gemma_3_270m(), 1, 1024, plain).total() == 18 * mebibyte);
  KvCachePolicy with_batch;
  with_batch.extra_cells = 512;
  CHECK(kv_cache(gemma_3_270m(), 1, 8192, with_batch).total() == (3 * 8192 + 15 * 1024) * 1024.0);
}

TEST_CASE("ranks share heads, and copy them where there are more ranks") {
  KvCachePolicy four;
  four.tensor_parallel = 4;
  const KvCacheSize size = kv_cache(qwen3_235b(), 1, 367'404, four);
  CHECK(size.keys / gibibyte == Approx(8.23).epsilon(1e-3));
  CHECK(size.values == size.keys);
  CHECK(static_cast<double>(kv_tokens_within(qwen3_235b(), 8.11 * gibibyte, four)) == Approx(178'880).epsilon(0.012));
  KvCachePolicy eight = four;
  eight.tensor_parallel = 8;
  CHECK(kv_bytes_per_token(qwen3_235b(), eight) == kv_bytes_per_token(qwen3_235b(), four));
  CHECK(kv_bytes_per_token(deepseek_r1(), eight) == 70'272);  // the latent vector is on every rank
}

TEST_CASE("blocks of quantized caches count their scales") {
  KvCachePolicy q8;
  q8.key_bytes = q8.value_bytes = storage_format_named("q8_0").value().bytes;
  CHECK(kv_cache(deepseek_r1(), 1, 32'768, q8).total() / mebibyte == Approx(1166.62).epsilon(1e-5));
}

TEST_CASE("pages waste what the last one does not fill") {
  KvCachePolicy pages;
  pages.block = 16;
  const double token = kv_bytes_per_token(llama_3_8b());
  const KvCacheSize size = kv_cache(llama_3_8b(), 3, 17, pages);
  CHECK(size.total() == 3 * 32 * token);
  CHECK(size.waste == 3 * 15 * token);
  CHECK(kv_cache(llama_3_8b(), 1, 32, pages).waste == 0);
  CHECK(kv_tokens_within(llama_3_8b(), 1381 * 16 * token, pages) == 1381 * 16);
  CHECK(1381.0 * 16 / 2048 == Approx(10.79).epsilon(1e-3));
  CHECK(kv_sequences_within(llama_3_8b(), 1381 * 16 * token, 2048, pages) == 10);
  CHECK(kv_tokens_within(llama_3_8b(), 127'626 * 16 * token, pages) == 2'042'016);
  CHECK(kv_sequences_within(llama_3_8b(), 127'626 * 16 * token, 2048, pages) == 997);
}

TEST_CASE("a hybrid's capacity in tokens is no multiple of its capacity in sequences: states cost first") {
  const KvCacheSize one = kv_cache(hybrid_27b(), 1, 1);
  CHECK(one.states > 0);
  CHECK(kv_cache(hybrid_27b(), 1, 1000).states == one.states);
  const double bytes = 40 * gibibyte;
  const Index sequences = kv_sequences_within(hybrid_27b(), bytes, 32'768),
              tokens = kv_tokens_within(hybrid_27b(), bytes);
  CHECK(sequences * 32'768 < tokens);
  CHECK(kv_tokens_within(hybrid_27b(), one.states - 1) == 0);
}

TEST_CASE("what cannot be shared or kept is refused") {
  KvCachePolicy policy;
  policy.tensor_parallel = 3;
  CHECK_THAT(check(llama_3_8b(), policy).error().message, contains("32 heads cannot be divided among 3 ranks"));
  ModelArchitecture odd = llama_3_8b();
  odd.heads = 24, odd.kv_heads = 6;
  policy.tensor_parallel = 4;
  CHECK_THAT(check(odd, policy).error().message, contains("neither divides the other"));
  policy = {};
  policy.block = 0;
  CHECK_FALSE(check(llama_3_8b(), policy).has_value());
  policy = {};
  policy.key_bytes = 0;
  CHECK_FALSE(check(llama_3_8b(), policy).has_value());
  CHECK_THROWS_AS(static_cast<void>(kv_cache(llama_3_8b(), -1, 1)), Misuse);
  CHECK(kv_tokens_within(llama_3_8b(), -1) == 0);
  CHECK(kv_sequences_within(llama_3_8b(), 0, 1) == 0);
}
