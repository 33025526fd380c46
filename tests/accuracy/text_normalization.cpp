#include "assay/accuracy/text_normalization.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("Texts are normalized as jiwer's standard", "[accuracy]") {
  const auto standard = TextNormalization::standard();
  CHECK(normalized_text("She'll  make sure you CAN'T make it", standard) == "she will make sure you can not make it");
  CHECK(normalized_text("you <unk> like [laugh]\tit", standard) == "you like it");
  CHECK(normalized_text("ÜBER Ωmega", standard) == "über ωmega");
  CHECK(normalized_text("5 < 6", standard) == "5 < 6");
}

TEST_CASE("Texts are normalized as SQuAD's answers", "[accuracy]") {
  CHECK(normalized_text("The  Eiffel-Tower, „Paris“!", TextNormalization::answers()) == "eiffeltower paris");
  CHECK(normalized_text(" a  the an ", TextNormalization::answers()).empty());
}

TEST_CASE("A normalization tells its name", "[accuracy]") {
  CHECK(name_of(TextNormalization{}) == "none");
  CHECK(name_of(TextNormalization::answers()) == "lowercase, punctuation removed, articles removed");
}
