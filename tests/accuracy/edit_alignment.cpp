#include "assay/accuracy/edit_alignment.hpp"

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;

EditCounts counted(std::string_view reference, std::string_view hypothesis) {
  EditCounts counts;
  for (const Edit& edit : align_edits(reference, hypothesis)) {
    counts.hits += edit.kind == EditKind::hit;
    counts.substitutions += edit.kind == EditKind::substitution;
    counts.deletions += edit.kind == EditKind::deletion;
    counts.insertions += edit.kind == EditKind::insertion;
  }
  return counts;
}

}  // namespace

TEST_CASE("An alignment of least edits", "[accuracy]") {
  CHECK(counted("kitten", "sitting").edits() == 3);
  CHECK(counted("abc", "abc").hits == 3);
  CHECK(counted("", "ab").insertions == 2);
  CHECK(counted("ab", "").deletions == 2);
  const EditCounts shifted = counted("abcd", "bcde");
  CHECK((shifted.hits == 3 && shifted.deletions == 1 && shifted.insertions == 1));
}

TEST_CASE("Alignments rebuild both texts", "[accuracy]") {
  const std::string reference = "GATTACA", hypothesis = "GCATGCU";
  std::string theirs, ours;
  for (const Edit& edit : align_edits(reference, hypothesis)) {
    if (edit.kind != EditKind::insertion) theirs += reference[edit.reference];
    if (edit.kind != EditKind::deletion) ours += hypothesis[edit.hypothesis];
  }
  CHECK(theirs == reference);
  CHECK(ours == hypothesis);
}

TEST_CASE("Edits for people", "[accuracy]") {
  CHECK(edit_text("color", "colour") == "colo{+u+}r");
  CHECK(edit_text("straße", "strasse") == "stra[-ß-]{+ss+}e");
  const std::string distant = edit_text(std::string(200, 'a') + "b", std::string(200, 'a') + "c");
  CHECK(distant.size() < 60);
  CHECK(distant.find("[-b-]{+c+}") != std::string::npos);
}

TEST_CASE("Alignments beyond memory are refused", "[accuracy]") {
  const std::vector<std::uint32_t> a(70000, 1), b(70000, 2);
  CHECK_THROWS_AS(align_edits(a, b), Misuse);
  CHECK(count_edits(a, a).hits == 70000);  // what both begin with costs nothing
}
