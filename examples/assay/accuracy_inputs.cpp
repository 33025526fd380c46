#include "accuracy_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "assay/accuracy/bleu.hpp"
#include "assay/accuracy/chrf.hpp"
#include "assay/accuracy/confusion.hpp"
#include "assay/accuracy/detection_file.hpp"
#include "assay/accuracy/exact_match.hpp"
#include "assay/accuracy/logit_agreement.hpp"
#include "assay/accuracy/perplexity.hpp"
#include "assay/accuracy/rouge.hpp"
#include "assay/accuracy/sample_file.hpp"
#include "assay/accuracy/top_k.hpp"
#include "assay/accuracy/translation_edit_rate.hpp"
#include "assay/accuracy/word_errors.hpp"
#include "assay/io/npy.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"

namespace assay_program {

namespace {

using assay::ErrorKind;
using assay::failure;
using assay::Result;

bool is_npy(const std::string& path) {
  return std::filesystem::path(path).extension() == ".npy";
}
assay::Failure malformed(const std::string& path, const std::string& why) {
  return failure(ErrorKind::malformed, "'" + path + "': " + why);
}
assay::Failure malformed_line(const assay::SampleFile& file, const assay::SampleRecord& record,
                              const std::string& why) {
  return malformed(file.path, "line " + std::to_string(record.line) +
                                  (file.has_ids ? " (id '" + assay::visible(record.id) + "')" : "") + ": " + why);
}

/// Predictions in the order of references.
struct Samples {
  assay::SampleFile predictions, references;
};

Result<Samples> read_samples(const AccuracyOptions& options, const std::string& predictions) {
  auto ours = assay::read_sample_file(predictions);
  if (!ours) return ours.propagate();
  auto theirs = assay::read_sample_file(options.references);
  if (!theirs) return theirs.propagate();
  Samples samples{std::move(ours).value(), std::move(theirs).value()};
  if (samples.references.records.empty()) return malformed(options.references, "there is no sample in it");
  if (const auto aligned = assay::align_samples(samples.predictions, samples.references); !aligned)
    return aligned.propagate();
  return samples;
}

std::string place_of(const assay::SampleFile& file, const assay::SampleRecord& record) {
  return file.has_ids ? "id '" + assay::visible(record.id) + "'" : "line " + std::to_string(record.line);
}

assay::TextNormalization normalization_of(const AccuracyOptions& options) {
  if (options.normalization == "standard") return assay::TextNormalization::standard();
  if (options.normalization == "answers") return assay::TextNormalization::answers();
  return {options.normalization == "lowercase", false, false, false, false};
}

assay::Score text_score(const AccuracyOptions& options, const assay::TextPairs& pairs) {
  using assay::ErrorRate;
  const std::string& metric = options.metric;
  if (metric == "bleu") {
    assay::BleuOptions own;
    own.tokenizer = *assay::bleu_tokenizer_named(options.tokenizer);
    own.smoothing = *assay::bleu_smoothing_named(options.smoothing);
    own.lowercase = options.lowercase;
    own.effective_order = options.effective_order;
    return assay::bleu(pairs, own);
  }
  if (metric == "chrf" || metric == "chrf++") {
    assay::ChrfOptions own;
    own.word_orders = metric == "chrf" ? 0 : 2;
    own.lowercase = options.lowercase;
    return assay::chrf(pairs, own);
  }
  if (metric == "ter") return assay::translation_edit_rate(pairs);
  if (metric == "rouge1" || metric == "rouge2") return assay::rouge(pairs, {metric == "rouge1" ? 1u : 2u, false});
  if (metric == "rougeL" || metric == "rougeLsum") return assay::rouge(pairs, {0, metric == "rougeLsum"});
  const assay::TextNormalization normalization = normalization_of(options);
  if (metric == "exact_match") return assay::exact_match(pairs, normalization);
  if (metric == "token_f1")
    return assay::token_f1(pairs,
                           options.normalization == "none" ? assay::TextNormalization::answers() : normalization);
  const ErrorRate rate = metric == "wer"   ? ErrorRate::word
                         : metric == "cer" ? ErrorRate::character
                         : metric == "mer" ? ErrorRate::match
                                           : ErrorRate::information_lost;
  return assay::error_rate(pairs, rate, normalization);
}

Result<ScoredFile> score_texts(const AccuracyOptions& options, const std::string& predictions) {
  auto read = read_samples(options, predictions);
  if (!read) return read.propagate();
  Samples& samples = read.value();
  const bool one_reference =
      options.metric == "wer" || options.metric == "cer" || options.metric == "mer" || options.metric == "wil";
  assay::TextPairs pairs;
  std::vector<std::string> empty;
  for (std::size_t i = 0; i < samples.references.records.size(); ++i) {
    assay::SampleRecord &ours = samples.predictions.records[i], &theirs = samples.references.records[i];
    if (ours.texts.size() != 1)
      return malformed_line(samples.predictions, ours,
                            ours.texts.empty() ? "\"text\" is missing" : "a prediction has one \"text\"");
    if (theirs.texts.empty()) return malformed_line(samples.references, theirs, "\"text\" is missing");
    if (one_reference && theirs.texts.size() != 1)
      return malformed_line(samples.references, theirs,
                            options.metric + " takes one reference, and \"texts\" has several");
    if (std::all_of(theirs.texts.begin(), theirs.texts.end(), [](const std::string& text) { return text.empty(); }))
      empty.push_back(place_of(samples.references, theirs));
    pairs.hypotheses.push_back(std::move(ours.texts.front()));
    pairs.references.push_back(std::move(theirs.texts));
  }
  ScoredFile scored;
  scored.score = text_score(options, pairs);
  if (!empty.empty())
    scored.notes.push_back(std::to_string(empty.size()) + " references are empty: " + assay::listed_names(empty));
  return scored;
}

/// Rows of scores of classes, with labels.
struct ScoresAndLabels {
  std::vector<float> scores;
  std::size_t classes = 0;
  std::vector<std::int64_t> labels;
  std::vector<std::string> places;  ///< of samples; empty: by position
};

/// Whole numbers of any dtype that has them.
Result<std::vector<std::int64_t>> whole_numbers(const assay::NpyArray& array, const std::string& path) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(array.size()));
  if (array.type.kind == assay::NpyKind::raw || array.type.kind == assay::NpyKind::floating)
    return malformed(path, "dtype " + array.type.description() + " is no whole number");
  for (assay::Index i = 0; i < array.size(); ++i)
    values[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(array.value(i));
  return values;
}

std::string shape_text(const assay::NpyArray& array) {
  std::string text;
  for (const assay::Index extent : array.shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

/// What two npy files hold: [samples…, classes] numbers, and [samples…] labels.
struct ArrayPair {
  assay::NpyArray predictions, references;
};
Result<ArrayPair> read_arrays(const std::string& predictions, const std::string& references) {
  auto ours = assay::read_npy(predictions);
  if (!ours) return ours.propagate();
  auto theirs = assay::read_npy(references);
  if (!theirs) return theirs.propagate();
  return ArrayPair{std::move(ours).value(), std::move(theirs).value()};
}

assay::Failure wrong_shapes(const std::string& predictions, const ArrayPair& pair, const std::string& references,
                            const char* wanted) {
  return failure(ErrorKind::malformed, "'" + predictions + "' is " + shape_text(pair.predictions) + " and '" +
                                           references + "' is " + shape_text(pair.references) + "; " + wanted);
}

Result<ScoresAndLabels> read_scores(const AccuracyOptions& options, const std::string& predictions) {
  ScoresAndLabels result;
  if (is_npy(predictions)) {
    auto read = read_arrays(predictions, options.references);
    if (!read) return read.propagate();
    const ArrayPair& pair = read.value();
    if (pair.predictions.shape.size() != 2 || pair.references.shape.size() != 1 ||
        pair.predictions.shape[0] != pair.references.shape[0] || pair.predictions.shape[1] < 1)
      return wrong_shapes(predictions, pair, options.references, "scores are samples x classes, labels samples");
    auto scores = pair.predictions.values<assay::float32>();
    if (!scores) return malformed(predictions, scores.error().message);
    auto labels = whole_numbers(pair.references, options.references);
    if (!labels) return labels.propagate();
    result.scores = std::move(scores).value();
    result.classes = static_cast<std::size_t>(pair.predictions.shape[1]);
    result.labels = std::move(labels).value();
  } else {
    auto read = read_samples(options, predictions);
    if (!read) return read.propagate();
    const Samples& samples = read.value();
    for (std::size_t i = 0; i < samples.references.records.size(); ++i) {
      const assay::SampleRecord &ours = samples.predictions.records[i], &theirs = samples.references.records[i];
      if (ours.numbers.empty()) return malformed_line(samples.predictions, ours, "\"scores\" are missing");
      if (!theirs.label) return malformed_line(samples.references, theirs, "\"label\" is missing");
      if (result.classes == 0) result.classes = ours.numbers.size();
      if (ours.numbers.size() != result.classes)
        return malformed_line(
            samples.predictions, ours,
            std::to_string(ours.numbers.size()) + " scores, and the first line has " + std::to_string(result.classes));
      for (const double score : ours.numbers) result.scores.push_back(static_cast<float>(score));
      result.labels.push_back(*theirs.label);
      result.places.push_back(place_of(samples.predictions, ours));
    }
  }
  if (result.labels.empty()) return malformed(options.references, "there is no sample in it");
  for (std::size_t i = 0; i < result.labels.size(); ++i)
    if (result.labels[i] < 0 || static_cast<std::size_t>(result.labels[i]) >= result.classes)
      return malformed(options.references, (result.places.empty() ? "sample " + std::to_string(i) : result.places[i]) +
                                               " has the label " + std::to_string(result.labels[i]) + ", and '" +
                                               predictions + "' has scores of " + std::to_string(result.classes) +
                                               " classes");
  return result;
}

Result<ScoredFile> score_top_k(const AccuracyOptions& options, const std::string& predictions) {
  auto read = read_scores(options, predictions);
  if (!read) return read.propagate();
  const ScoresAndLabels& samples = read.value();
  assay::TieRule rule = assay::TieRule::lowest_index;
  for (const assay::TieRule other :
       {assay::TieRule::highest_index, assay::TieRule::pessimistic, assay::TieRule::optimistic})
    if (assay::name_of(other) == options.ties) rule = other;
  const std::size_t k = options.metric == "top1" ? 1 : options.metric == "top5" ? 5 : options.k;
  ScoredFile scored;
  scored.score = assay::top_k_accuracy({samples.scores, samples.classes, samples.labels}, k, rule);
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    const auto row = std::span(samples.scores).subspan(i * samples.classes, samples.classes);
    if (std::any_of(row.begin(), row.end(), [](float score) { return std::isnan(score); }))
      scored.broken.push_back((samples.places.empty() ? "sample " + std::to_string(i) : samples.places[i]) +
                              " has NaN among its scores");
  }
  return scored;
}

std::size_t classes_of(const AccuracyOptions& options, const std::vector<std::int64_t>& a,
                       const std::vector<std::int64_t>& b) {
  if (options.classes > 0) return options.classes;
  std::int64_t most = 0;
  for (const auto* values : {&a, &b})
    for (const std::int64_t value : *values)
      if (value != options.ignored_label) most = std::max(most, value);
  return static_cast<std::size_t>(std::min<std::int64_t>(most, 65535)) + 1;
}

/// The first truth that is neither a class nor to be ignored.
Result<void> check_truths(const AccuracyOptions& options, const std::vector<std::int64_t>& truths,
                          std::size_t classes) {
  for (std::size_t i = 0; i < truths.size(); ++i)
    if (truths[i] != options.ignored_label && (truths[i] < 0 || static_cast<std::size_t>(truths[i]) >= classes))
      return malformed(options.references, "position " + std::to_string(i) + " has the label " +
                                               std::to_string(truths[i]) + ", which is none of " +
                                               std::to_string(classes) +
                                               " classes; --ignore names a label to leave out");
  return {};
}

Result<ScoredFile> score_labels(const AccuracyOptions& options, const std::string& predictions) {
  std::vector<std::int64_t> ours, theirs;
  std::size_t images = 1;
  if (is_npy(predictions)) {
    auto read = read_arrays(predictions, options.references);
    if (!read) return read.propagate();
    const ArrayPair& pair = read.value();
    if (pair.predictions.shape != pair.references.shape || pair.predictions.size() == 0)
      return wrong_shapes(predictions, pair, options.references, "both are labels of the same shape, one at least");
    auto a = whole_numbers(pair.predictions, predictions), b = whole_numbers(pair.references, options.references);
    if (!a) return a.propagate();
    if (!b) return b.propagate();
    ours = std::move(a).value();
    theirs = std::move(b).value();
    if (options.metric == "miou" && pair.predictions.shape.size() > 2)
      images = static_cast<std::size_t>(pair.predictions.shape[0]);
  } else {
    auto read = read_samples(options, predictions);
    if (!read) return read.propagate();
    const Samples& samples = read.value();
    for (std::size_t i = 0; i < samples.references.records.size(); ++i) {
      const assay::SampleRecord &a = samples.predictions.records[i], &b = samples.references.records[i];
      if (!a.label) return malformed_line(samples.predictions, a, "\"label\" is missing");
      if (!b.label) return malformed_line(samples.references, b, "\"label\" is missing");
      ours.push_back(*a.label);
      theirs.push_back(*b.label);
    }
  }
  const std::size_t classes = classes_of(options, ours, theirs);
  if (classes > 4096)
    return malformed(options.references, std::to_string(classes) + " classes are too many for a confusion");
  if (const auto checked = check_truths(options, theirs, classes); !checked) return checked.propagate();
  ScoredFile scored;
  if (options.metric == "miou") {
    std::vector<assay::Confusion> all;
    const std::size_t each = ours.size() / images;
    for (std::size_t i = 0; i < images; ++i)
      all.push_back(assay::confusion(std::span(ours).subspan(i * each, each), std::span(theirs).subspan(i * each, each),
                                     classes, options.ignored_label));
    scored.score = assay::mean_intersection_over_union(all);
    return scored;
  }
  scored.score = assay::accuracy_of(assay::confusion(ours, theirs, classes, options.ignored_label));
  scored.score.statistics = {2, {}};
  scored.score.of_sums = assay::mean_of_sums;
  scored.score.binary = true;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (theirs[i] != options.ignored_label)
      scored.score.statistics.add(std::vector<double>{ours[i] == theirs[i] ? 1.0 : 0.0, 1});
  return scored;
}

/// Losses of tokens: of JSON lines, or of logits [sequences,] tokens x vocabulary with the tokens that followed.
Result<ScoredFile> score_perplexity(const AccuracyOptions& options, const std::string& predictions,
                                    const ScoredFile* paired) {
  std::vector<assay::TokenLosses> sequences;
  ScoredFile scored;
  if (is_npy(predictions)) {
    if (options.references.empty())
      return failure(ErrorKind::invalid, "perplexity of logits asks for --references, the tokens that followed (.npy)");
    auto read = read_arrays(predictions, options.references);
    if (!read) return read.propagate();
    const ArrayPair& pair = read.value();
    std::vector<assay::Index> rows = pair.predictions.shape;
    const assay::Index vocabulary = rows.empty() ? 0 : rows.back();
    if (!rows.empty()) rows.pop_back();
    if (rows != pair.references.shape || rows.empty() || rows.size() > 2 || vocabulary < 1)
      return wrong_shapes(predictions, pair, options.references,
                          "logits are [sequences x] tokens x vocabulary, tokens as many rows");
    auto logits = pair.predictions.values<assay::float32>();
    if (!logits) return malformed(predictions, logits.error().message);
    auto tokens = whole_numbers(pair.references, options.references);
    if (!tokens) return tokens.propagate();
    sequences.resize(rows.size() == 2 ? static_cast<std::size_t>(rows[0]) : 1);
    const std::size_t each = tokens.value().size() / std::max<std::size_t>(sequences.size(), 1);
    for (std::size_t i = 0; i < tokens.value().size(); ++i) {
      const std::int64_t token = tokens.value()[i];
      if (token == options.ignored_label) continue;
      if (token < 0 || token >= vocabulary)
        return malformed(options.references, "position " + std::to_string(i) + " has the token " +
                                                 std::to_string(token) + ", and there are " +
                                                 std::to_string(vocabulary) + " logits; --ignore names padding");
      const auto row = std::span(logits.value())
                           .subspan(i * static_cast<std::size_t>(vocabulary), static_cast<std::size_t>(vocabulary));
      sequences[i / each].push_back(assay::negative_log_likelihood(row, static_cast<std::size_t>(token)));
      if (std::isnan(sequences[i / each].back()))
        scored.broken.push_back("sequence " + std::to_string(i / each) + ", token " + std::to_string(i % each) +
                                " has NaN logits");
    }
  } else {
    auto read = assay::read_sample_file(predictions);
    if (!read) return read.propagate();
    if (paired != nullptr && paired->samples.has_ids)
      if (const auto aligned = assay::align_samples(read.value(), paired->samples); !aligned)
        return aligned.propagate();
    scored.samples.path = predictions;
    scored.samples.has_ids = read.value().has_ids;
    for (const assay::SampleRecord& record : read.value().records) {
      scored.samples.records.push_back({record.id, record.line, {}, {}, {}, {}});
      if (!record.texts.empty() || record.label || record.passed)
        return malformed_line(read.value(), record, "\"losses\" or \"logprobs\" of tokens are wanted");
      sequences.push_back(record.numbers);
      const auto bad = std::find_if(record.numbers.begin(), record.numbers.end(),
                                    [](double loss) { return std::isnan(loss) || loss < 0; });
      if (bad == record.numbers.end()) continue;
      const std::string where =
          place_of(read.value(), record) + ", token " + std::to_string(bad - record.numbers.begin());
      if (!std::isnan(*bad))
        return malformed_line(read.value(), record,
                              "token " + std::to_string(bad - record.numbers.begin()) +
                                  " has a negative loss; are these log-probabilities? then call them \"logprobs\"");
      scored.broken.push_back(where + " has the loss NaN");
    }
  }
  std::size_t tokens = 0;
  for (const assay::TokenLosses& sequence : sequences) tokens += sequence.size();
  if (tokens == 0) return malformed(predictions, "there is no token in it");
  const assay::PerplexityMean mean = options.mean == "corpus"      ? assay::PerplexityMean::corpus
                                     : options.mean == "sequences" ? assay::PerplexityMean::sequences
                                                                   : assay::PerplexityMean::sequence_losses;
  scored.score = assay::perplexity(sequences, mean);
  return scored;
}

Result<ScoredFile> score_divergence(const AccuracyOptions& options, const std::string& predictions) {
  if (!is_npy(predictions) || !is_npy(options.references))
    return failure(ErrorKind::unsupported, "kl compares logits; give two .npy files of tokens x vocabulary");
  auto read = read_arrays(predictions, options.references);
  if (!read) return read.propagate();
  const ArrayPair& pair = read.value();
  if (pair.predictions.shape != pair.references.shape || pair.predictions.shape.size() < 2 ||
      pair.predictions.size() == 0)
    return wrong_shapes(predictions, pair, options.references, "both are logits of the same tokens x vocabulary");
  auto ours = pair.predictions.values<assay::float32>(), theirs = pair.references.values<assay::float32>();
  if (!ours) return malformed(predictions, ours.error().message);
  if (!theirs) return malformed(options.references, theirs.error().message);
  const auto vocabulary = static_cast<std::size_t>(pair.predictions.shape.back());
  std::vector<assay::LogitAgreement> positions;
  ScoredFile scored;
  for (std::size_t i = 0; i + vocabulary <= ours.value().size(); i += vocabulary) {
    positions.push_back(assay::logit_agreement(std::span(ours.value()).subspan(i, vocabulary),
                                               std::span(theirs.value()).subspan(i, vocabulary)));
    if (std::isnan(positions.back().divergence))
      scored.broken.push_back("token " + std::to_string(i / vocabulary) + " has NaN or infinite logits");
  }
  scored.score = assay::logit_divergence(positions);
  return scored;
}

Result<ScoredFile> score_detections(const AccuracyOptions& options, const std::string& predictions) {
  auto objects = assay::read_true_objects(options.references);
  if (!objects) return objects.propagate();
  auto detections = assay::read_detected_objects(predictions);
  if (!detections) return detections.propagate();
  if (objects.value().empty()) return malformed(options.references, "there is no object in it");
  ScoredFile scored;
  std::vector<std::int64_t> images;
  for (const assay::TrueObject& object : objects.value()) images.push_back(object.image);
  if (const std::size_t elsewhere = assay::detections_elsewhere(objects.value(), detections.value()); elsewhere > 0)
    scored.notes.push_back(std::to_string(elsewhere) +
                           " detections are on images without objects: wrong where their category occurs");
  scored.detections.emplace(objects.value(), detections.value(), std::move(images));
  scored.score = assay::detection_score(*scored.detections, objects.value().size(), detections.value().size());
  return scored;
}

/// Lines of id and passed, as many a problem as it was tried.
Result<ScoredFile> score_attempts(const AccuracyOptions& options, const std::string& predictions,
                                  const ScoredFile* paired) {
  const auto text = assay::read_file(predictions, "JSON lines of id and passed");
  if (!text) return text.propagate();
  const auto read = assay::parse_sample_lines(text.value(), predictions, true);
  if (!read) return read.propagate();
  std::map<std::string, assay::Attempts> problems;
  for (const assay::SampleRecord& record : read.value().records) {
    if (!record.passed) return malformed_line(read.value(), record, "\"passed\" is missing");
    if (!read.value().has_ids) return malformed_line(read.value(), record, "\"id\" of the problem is missing");
    ++problems[record.id].total;
    problems[record.id].passed += *record.passed ? 1 : 0;
  }
  if (problems.empty()) return malformed(predictions, "there is no attempt in it");
  std::vector<assay::Attempts> all;
  ScoredFile scored;
  scored.samples = {predictions, true, {}};
  for (const auto& [id, attempts] : problems) {
    scored.samples.records.push_back({id, 0, {}, {}, {}, {}});
    if (attempts.total < options.k)
      return malformed(predictions, "problem '" + assay::visible(id) + "' was tried " + std::to_string(attempts.total) +
                                        " times, and k is " + std::to_string(options.k));
    all.push_back(attempts);
  }
  if (paired != nullptr) {
    const auto ids = [](const assay::SampleFile& file) {
      std::vector<std::string> sorted;
      for (const assay::SampleRecord& record : file.records) sorted.push_back(record.id);
      return sorted;
    };
    std::vector<std::string> ours = ids(scored.samples), theirs = ids(paired->samples), alone;
    std::set_symmetric_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(alone));
    for (std::string& id : alone) id = "'" + assay::visible(id) + "'";
    if (!alone.empty())
      return malformed(predictions, std::to_string(alone.size()) + " problems were tried there or in '" +
                                        paired->samples.path + "' alone: " + assay::listed_names(alone) +
                                        "; a paired test needs the same");
  }
  scored.score = assay::pass_at_k(all, options.k);
  return scored;
}

}  // namespace

Result<ScoredFile> score_file(const AccuracyOptions& options, const std::string& predictions,
                              const ScoredFile* paired) {
  const std::string& metric = options.metric;
  if (metric == "top1" || metric == "top5" || metric == "top_k") return score_top_k(options, predictions);
  if (metric == "accuracy" || metric == "miou") return score_labels(options, predictions);
  if (metric == "perplexity") return score_perplexity(options, predictions, paired);
  if (metric == "kl") return score_divergence(options, predictions);
  if (metric == "map") return score_detections(options, predictions);
  if (metric == "pass_at_k") return score_attempts(options, predictions, paired);
  return score_texts(options, predictions);
}

}  // namespace assay_program
