// How long metrics take: 10⁶ predictions of each, and COCO's boxes of 5,000 images. Texts have 12 words.
//   bench_accuracy [PREDICTIONS [IMAGES]]

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "assay/accuracy/bleu.hpp"
#include "assay/accuracy/chrf.hpp"
#include "assay/accuracy/detection.hpp"
#include "assay/accuracy/equivalence.hpp"
#include "assay/accuracy/exact_match.hpp"
#include "assay/accuracy/perplexity.hpp"
#include "assay/accuracy/rouge.hpp"
#include "assay/accuracy/top_k.hpp"
#include "assay/accuracy/translation_edit_rate.hpp"
#include "assay/accuracy/word_errors.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

TextPairs texts(std::size_t count) {
  constexpr const char* words[] = {"the", "cat",   "sat", "on",     "a",     "mat", "while", "rain",
                                   "was", "quite", "red", "seldom", "green", "and", "then",  "left"};
  detail::RandomSequence random(1);
  TextPairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    std::string ours, theirs;
    for (int word = 0; word < 12; ++word) {
      const char* const chosen = words[random.below(16)];
      (theirs += word > 0 ? " " : "") += chosen;
      if (random.below(20) != 0)
        (ours += ours.empty() ? "" : " ") += random.below(15) == 0 ? words[random.below(16)] : chosen;
    }
    pairs.add(std::move(ours), std::move(theirs));
  }
  return pairs;
}

template <class Work>
void row(const char* name, Work work) {
  double value = 0;
  const double seconds = seconds_of([&] { value = work(); });
  std::printf("| %s | %.3f s | %.6g |\n", name, seconds, value);
  std::fflush(stdout);
}

void detections(std::size_t images) {
  detail::RandomSequence random(2);
  std::vector<TrueObject> objects;
  std::vector<DetectedObject> found;
  for (std::size_t image = 1; image <= images; ++image)
    for (int i = 0; i < 36; ++i) {
      const Box box{static_cast<double>(random.below(500)), static_cast<double>(random.below(400)),
                    static_cast<double>(8 + random.below(200)), static_cast<double>(8 + random.below(200))};
      const auto id = static_cast<std::int64_t>(image), category = static_cast<std::int64_t>(random.below(80));
      if (i < 7) objects.push_back({id, category, box, box.width * box.height, i == 6 && image % 20 == 0});
      found.push_back(
          {id, category, {box.x + random.below(9), box.y, box.width, box.height}, random.below(1000) / 1000.0});
    }
  row("COCO AP", [&] { return DetectionEvaluation(objects, found).figures().ap; });
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t predictions = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000000,
                    images = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 5000;
  std::printf("%zu predictions, %zu images\n\n| metric | time | value |\n|---|---|---|\n", predictions, images);
  const TextPairs pairs = texts(predictions);
  row("WER", [&] { return error_rate(pairs, ErrorRate::word).value; });
  row("CER", [&] { return error_rate(pairs, ErrorRate::character).value; });
  row("BLEU", [&] { return bleu(pairs).value; });
  row("chrF", [&] { return chrf(pairs).value; });
  row("TER", [&] { return translation_edit_rate(pairs).value; });
  row("ROUGE-L", [&] { return rouge(pairs, {0, false}).value; });
  row("exact match", [&] { return exact_match(pairs).value; });
  detail::RandomSequence random(3);
  std::vector<TokenLosses> losses(predictions / 100 + 1, TokenLosses(100));
  for (TokenLosses& sequence : losses)
    for (double& loss : sequence) loss = random.below(1000) / 250.0;
  row("perplexity", [&] { return perplexity(losses).value; });
  std::vector<float> scores(predictions * 100);
  std::vector<std::int64_t> labels(predictions);
  for (float& score : scores) score = static_cast<float>(random.below(1000));
  for (std::int64_t& label : labels) label = random.below(100);
  const Score top = top_k_accuracy({scores, 100, labels}, 5);
  row("top-5 of 100 classes", [&] { return top_k_accuracy({scores, 100, labels}, 5).value; });
  row("paired comparison of accuracies", [&] { return compare_scores(top, top, {}).interval.upper; });
  const Score wer = error_rate(pairs, ErrorRate::word);
  row("paired bootstrap and permutation of WER", [&] { return compare_scores(wer, wer, {}).interval.upper; });
  detections(images);
  return 0;
}
