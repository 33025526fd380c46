#include "assay/serving/tokenizer_file.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assay/report/read_file.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

using namespace assay::testing;
using assay::BytePairTokenizer;
using Json = nlohmann::json;

namespace {

std::string text_of(const std::string& name) {
  return assay::read_file(source_directory() / "tests/serving/data" / name, "a tokenizer").value();
}

}  // namespace

TEST_CASE("tokens are those of the library whose files are read", "[serving]") {
  // Trained with, and encoded by, tokenizers 0.23.3.
  for (const std::string name : {"gpt2", "digits", "cl100k", "qwen2"}) {
    const auto tokenizer = BytePairTokenizer::from_json(text_of("tokenizer_" + name + ".json"));
    REQUIRE(tokenizer);
    CHECK(tokenizer.value().size() == 360);
    for (const Json& sample : Json::parse(text_of("tokens_" + name + ".json"))) {
      const auto text = sample["text"].get<std::string>();
      CAPTURE(name, text);
      const auto tokens = tokenizer.value().encode(text);
      CHECK(tokens == sample["tokens"].get<std::vector<std::uint32_t>>());
      CHECK(tokenizer.value().decode(tokens) == text);
      CHECK(tokenizer.value().counter()(text) == tokens.size());
    }
  }
}

TEST_CASE("any bytes become tokens and the same bytes again", "[serving]") {
  assay::detail::RandomSequence random(1);
  for (const std::string name : {"gpt2", "digits", "cl100k", "qwen2"}) {
    const auto tokenizer = BytePairTokenizer::from_json(text_of("tokenizer_" + name + ".json")).value();
    for (int i = 0; i < 200; ++i) {
      std::string text;
      for (std::size_t length = random.below(40); text.size() < length;)
        text += random.below(4) == 0 ? static_cast<char>(random.below(256)) : " \n'1az."[random.below(7)];
      CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
    }
  }
}

TEST_CASE("pieces are cut as the patterns say", "[serving]") {
  using Pieces = std::vector<std::string_view>;
  using assay::PreTokenizer;
  CHECK(assay::pre_tokenize("it's  12345 ok", PreTokenizer::gpt2) == Pieces{"it", "'s", " ", " 12345", " ok"});
  CHECK(assay::pre_tokenize("it's  12345 ok", PreTokenizer::cl100k) ==
        Pieces{"it", "'s", " ", " ", "123", "45", " ok"});
  CHECK(assay::pre_tokenize("a  12", PreTokenizer::gpt2_digits) == Pieces{"a", "  ", "1", "2"});
  CHECK(assay::pre_tokenize("I'VE", PreTokenizer::gpt2) == Pieces{"I", "'", "VE"});
  CHECK(assay::pre_tokenize("I'VE", PreTokenizer::cl100k) == Pieces{"I", "'VE"});
  CHECK(assay::pre_tokenize("a b", PreTokenizer::none) == Pieces{"a b"});
  CHECK(assay::pre_tokenize("", PreTokenizer::none).empty());
}

TEST_CASE("a tokenizer that would count otherwise is refused", "[serving]") {
  const Json right = Json::parse(text_of("tokenizer_gpt2.json"));
  const auto refused = [&](auto change) {
    Json changed = right;
    change(changed);
    const auto read = BytePairTokenizer::from_json(changed.dump());
    return read ? assay::Error{} : read.error();
  };
  using assay::ErrorKind;
  CHECK(refused([](Json& json) { json["normalizer"] = {{"type", "NFC"}}; }).kind == ErrorKind::unsupported);
  CHECK(refused([](Json& json) { json["model"]["type"] = "Unigram"; }).kind == ErrorKind::unsupported);
  CHECK(refused([](Json& json) { json["pre_tokenizer"]["add_prefix_space"] = true; }).kind == ErrorKind::unsupported);
  CHECK(refused([](Json& json) { json["pre_tokenizer"] = {{"type", "Whitespace"}}; }).kind == ErrorKind::unsupported);
  CHECK(refused([](Json& json) { json["pre_tokenizer"] = nullptr; }).kind == ErrorKind::unsupported);
  CHECK(refused([](Json& json) { json["model"]["vocab"].erase("a"); }).kind != ErrorKind::io);
  CHECK(refused([](Json& json) { json["model"]["vocab"]["\xe4\xb8\xad"] = 999; }).kind == ErrorKind::unsupported);
  CHECK(refused([](Json& json) { json["model"].erase("merges"); }).kind == ErrorKind::malformed);
  CHECK(refused([](Json& json) { json["model"]["merges"][0] = "zz qq"; }).kind == ErrorKind::malformed);
  CHECK(refused([](Json& json) { json["model"]["merges"][0] = 5; }).kind == ErrorKind::malformed);
  CHECK(refused([](Json& json) { json["added_tokens"][0].erase("id"); }).kind == ErrorKind::malformed);
  // Values of other kinds than they are to be are no crash.
  for (const char* path : {"/model", "/model/type", "/model/vocab", "/model/vocab/a", "/model/merges", "/pre_tokenizer",
                           "/pre_tokenizer/type", "/pre_tokenizer/add_prefix_space", "/added_tokens"})
    for (const Json& other : {Json(5), Json(-1), Json("x"), Json::array({1}), Json::object({{"a", 1}})})
      refused([&](Json& json) { json[Json::json_pointer(path)] = other; });
  CHECK(BytePairTokenizer::from_json("[]").error().kind == ErrorKind::malformed);
  CHECK(BytePairTokenizer::from_json("{").error().kind == ErrorKind::malformed);
  CHECK(BytePairTokenizer::read("none.json").error().kind == ErrorKind::not_found);
}
