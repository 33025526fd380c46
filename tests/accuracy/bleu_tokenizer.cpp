#include "assay/accuracy/bleu_tokenizer.hpp"

#include "assay/accuracy/detail/unicode.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;

std::string words(std::string_view text, BleuTokenizer tokenizer) {
  const std::string tokenized = bleu_tokenized(text, tokenizer);
  std::string joined;
  for (const auto word : detail::split_at_spaces(tokenized)) joined += (joined.empty() ? "" : " ") + std::string(word);
  return joined;
}

}  // namespace

TEST_CASE("13a sets punctuation apart as mteval does", "[accuracy]") {
  CHECK(words("Hello, world! It's 3.5% (approx.)", BleuTokenizer::v13a) == "Hello , world ! It's 3.5 % ( approx . )");
  CHECK(words("a,b 1,000 1, x 2-3 a-b ...", BleuTokenizer::v13a) == "a , b 1,000 1 , x 2 - 3 a-b . . .");
  CHECK(words("&quot;x&quot; &amp; y &lt;z&gt;", BleuTokenizer::v13a) == "\" x \" & y < z >");
  CHECK(words("end-\nless <skipped>line\nnext", BleuTokenizer::v13a) == "endless line next");
}

TEST_CASE("Other tokenizers cut as sacrebleu's", "[accuracy]") {
  CHECK(words("Ein «Wort», 3,5 € – ja.", BleuTokenizer::international) == "Ein « Wort » , 3,5 € – ja .");
  CHECK(words("我爱Berlin。", BleuTokenizer::chinese) == "我 爱 Berlin 。");
  CHECK(words("ab ü", BleuTokenizer::character) == "a b ü");
  CHECK(words(" a,b  c ", BleuTokenizer::none) == "a,b c");
}

TEST_CASE("Tokenizers have the names of signatures", "[accuracy]") {
  for (const BleuTokenizer tokenizer : all_bleu_tokenizers)
    CHECK(bleu_tokenizer_named(name_of(tokenizer)) == tokenizer);
  CHECK(!bleu_tokenizer_named("13b"));
}
