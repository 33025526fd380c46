#include "assay/fleet/capacity/weight_index.hpp"

#include "assay/report/write_file.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

ModelConfig llama(const std::string& stored = "bf16") {
  ModelConfig config;
  ModelArchitecture& model = config.model;
  model.name = "llama";
  model.layers = 32, model.hidden = 4096, model.heads = 32, model.kv_heads = 8, model.head_size = 128;
  model.intermediate = 14336, model.vocabulary = 128256;
  config.stored = stored;
  return config;
}

}  // namespace

TEST_CASE("an index of the same model agrees, one of another does not") {
  const testing::TemporaryFolder folder;
  const auto file = folder.path / "model.safetensors.index.json";
  REQUIRE(write_file(file, R"({"metadata": {"total_size": 16060522496}, "weight_map": {"a": "b"}})").has_value());
  const WeightIndex index = read_weight_index(folder.path).value();
  CHECK(index.bytes == 16'060'522'496);
  CHECK(check_weights(llama(), index).verdict == Verdict::pass);
  ModelConfig other = llama();
  other.model.layers = 31;
  CHECK(check_weights(other, index).verdict == Verdict::fail);
  other.notes = {"a tower is not counted"};
  CHECK(check_weights(other, index).verdict == Verdict::inconclusive);
  CHECK(check_weights(llama("f32"), index).verdict == Verdict::fail);
  CHECK(check_weights(llama("gptq"), index).verdict == Verdict::inconclusive);
  CHECK(check_weights(llama(""), index).verdict == Verdict::inconclusive);
}

TEST_CASE("the header of a safetensors file counts elements") {
  const testing::TemporaryFolder folder;
  const std::string header =
      R"({"a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]},"b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})";
  std::string text(8, '\0');
  text[0] = static_cast<char>(header.size());
  REQUIRE(write_file(folder.path / "model.safetensors", text + header + std::string(16, '\0')).has_value());
  const auto index = read_weight_index(folder.path);
  REQUIRE(index.has_value());
  CHECK(index.value().parameters == 7);
  CHECK(index.value().bytes == 16);
  CHECK(index.value().tensors == 2);
}

TEST_CASE("what is no index is refused") {
  const testing::TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    const auto file = folder.path / "x.json";
    REQUIRE(write_file(file, text).has_value());
    return read_weight_index(file).error().message;
  };
  CHECK_THAT(refusal("{}"), contains("metadata.total_size"));
  CHECK_THAT(refusal(R"({"metadata": {"total_size": 5}})"), contains("weight_map"));
  CHECK_THAT(refusal(R"({"metadata": {"total_size": -5}, "weight_map": {}})"), contains("not above 0"));
  CHECK_THAT(refusal("nonsense"), contains("no index"));
  CHECK_THAT(read_weight_index(folder.path).error().message, contains("holds neither"));
}
