#include "accuracy_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"

namespace assay_program {

namespace {

constexpr const char* accuracy_examples =
    "Examples:\n"
    "  assay accuracy wer --predictions hypotheses.jsonl --references truth.jsonl\n"
    "  assay accuracy top1 --predictions logits.npy --references labels.npy --against fp32.npy --within 0.005 --out "
    "report\n"
    "  assay accuracy perplexity --predictions losses.jsonl --against baseline.jsonl --within 0.5\n"
    "  assay accuracy map --predictions detections.json --references instances.json --stated 0.371 --within 1%\n"
    "  assay accuracy pareto --predictions formats.jsonl --page formats.html\n\n"
    "Files: JSON lines (.jsonl: id, text or texts, label, scores, losses or logprobs, passed), one text a line "
    "(others),\n"
    ".npy, and COCO's JSON for map. With ids in both files, samples are paired by id, else line by line. Of pareto a "
    "line has\n"
    "name, accuracy, bytes, and lower, upper, seconds, seconds_lower, seconds_upper, metric, higher_is_better.\n"
    "Exit code: 0 within the margin, or measured with nothing to compare, 1 beyond it, or samples are broken, 2 "
    "usage,\n"
    "environment, files that do not belong together, or too few samples to tell.";

}  // namespace

const std::vector<std::string>& accuracy_metrics() {
  static const std::vector<std::string> all{"accuracy",   "bleu",   "cer",    "chrf",   "chrf++",    "exact_match",
                                            "kl",         "map",    "mer",    "miou",   "pareto",    "pass_at_k",
                                            "perplexity", "rouge1", "rouge2", "rougeL", "rougeLsum", "ter",
                                            "token_f1",   "top1",   "top5",   "top_k",  "wer",       "wil"};
  return all;
}

CLI::App& add_accuracy_command(CLI::App& app, AccuracyOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "accuracy", "what a model's answers are worth: WER, BLEU, mAP, perplexity, …; is it as good as before?");
  command.add_option("metric", options.metric, "wer, cer, bleu, chrf, ter, rougeL, top1, miou, map, perplexity, kl, …")
      ->required()
      ->type_name("METRIC");
  command.option_defaults()->group("Files");
  command.add_option("--predictions", options.predictions, "what the model answered")->required()->type_name("FILE");
  command.add_option("--references", options.references, "what is right; of kl, the reference's logits")
      ->type_name("FILE");
  command.add_option("--against", options.against, "what a baseline answered to the same; tests are paired")
      ->type_name("FILE");
  command.add_option("--stated", options.stated, "a value that somebody states, instead of a baseline's answers")
      ->type_name("VALUE");
  command.option_defaults()->group("The claim");
  command
      .add_option("--within", options.within,
                  "how far the metric may be off, in its unit, or in percent of the baseline's: 0.5, 1%")
      ->type_name("MARGIN");
  command
      .add_option("--error-rate", options.error_rate,
                  "how often a model at the margin may pass (0.05); the interval has 1 - 2 times that")
      ->type_name("SHARE");
  command.add_option("--resamples", options.resamples, "of intervals by resampling (1000)")->type_name("N");
  command.add_option("--seed", options.resampling_seed, "of the resampling (1)")->type_name("N");
  command.option_defaults()->group("How the metric is computed");
  command.add_option("--tokenizer", options.tokenizer, "of bleu (13a)")->type_name("13a|intl|zh|char|none");
  command.add_option("--smoothing", options.smoothing, "of bleu (exp)")->type_name("exp|floor|add-k|none");
  command.add_flag("--effective-order", options.effective_order,
                   "of bleu: orders that no hypothesis reaches do not count");
  command.add_flag("--lowercase", options.lowercase, "of bleu, chrf: texts are brought to lower case first");
  command
      .add_option("--normalize", options.normalization,
                  "of wer, cer, mer, wil, exact_match, token_f1: standard as jiwer's, answers as SQuAD's (none)")
      ->type_name("none|lowercase|standard|answers");
  command.add_option("--ties", options.ties, "of top1, top5, top_k: who is first of equal scores (lowest_index)")
      ->type_name("lowest_index|highest_index|pessimistic|optimistic");
  command.add_option("--mean", options.mean, "of perplexity (corpus)")->type_name("corpus|sequences|sequence_losses");
  command.add_option("-k,--k", options.k, "of top_k, pass_at_k (1)")->type_name("N");
  command.add_option("--classes", options.classes, "of miou, accuracy (as many as labels tell)")->type_name("N");
  command.add_option("--ignore", options.ignored_label, "label of what is padding, or to be left out (-100)")
      ->type_name("LABEL");
  command.add_option("--page", options.page, "of pareto: a page with pictures of accuracy against size and time")
      ->type_name("FILE");
  command.option_defaults()->group("What it is called");
  command.add_option("--model", options.model, "in the outcome's id (the name of the predictions' file)")
      ->type_name("NAME");
  command.add_option("--dataset", options.dataset, "in the outcome's id")->type_name("NAME");
  command.option_defaults()->group("Options");
  command.footer(accuracy_examples);
  return command;
}

assay::Result<double> accuracy_number(const char* option, const std::string& text) {
  const auto value = assay::detail::read_number(text);
  if (value && std::isfinite(*value)) return *value;
  return assay::failure(assay::ErrorKind::invalid,
                        std::string(option) + " is '" + text + "'; give a number, such as 0.5");
}

assay::Result<void> check_accuracy_options(const AccuracyOptions& options) {
  const auto refused = [](const std::string& message) { return assay::failure(assay::ErrorKind::invalid, message); };
  const auto known = [](const char* what, const std::string& name, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end()
               ? assay::Result<void>()
               : assay::failure(assay::ErrorKind::not_found, assay::unknown_name(what, name, names));
  };
  for (const auto& checked :
       {known("metric", options.metric, accuracy_metrics()),
        known("tokenizer", options.tokenizer, {"13a", "intl", "zh", "char", "none"}),
        known("smoothing", options.smoothing, {"exp", "floor", "add-k", "none"}),
        known("normalization", options.normalization, {"none", "lowercase", "standard", "answers"}),
        known("rule for ties", options.ties, {"lowest_index", "highest_index", "pessimistic", "optimistic"}),
        known("mean", options.mean, {"corpus", "sequences", "sequence_losses"})})
    if (!checked) return checked;
  const bool alone = options.metric == "pareto" || options.metric == "pass_at_k" || options.metric == "perplexity";
  if (options.references.empty() && !alone) return refused(options.metric + " asks for --references, what is right");
  if (!options.against.empty() && !options.stated.empty())
    return refused("--against and --stated are two things to compare with; give one of them");
  const bool compared = !options.against.empty() || !options.stated.empty();
  if (compared == options.within.empty())
    return refused(compared ? "--within is missing: how far may the metric be off?"
                            : "--within asks for --against FILE or --stated VALUE: within of what?");
  if (options.metric == "pareto" && compared)
    return refused("pareto compares formats with each other; leave out --within");
  if (options.metric != "pareto" && !options.page.empty()) return refused("--page is of pareto alone");
  if (options.resamples < 100 || options.resamples > 1000000)
    return refused("--resamples is " + std::to_string(options.resamples) + "; give 100 to 1000000");
  if (options.k == 0) return refused("-k is 0; give 1 or more");
  const auto rate = accuracy_number("--error-rate", options.error_rate);
  if (!rate) return rate.propagate();
  if (!(rate.value() > 0 && rate.value() < 0.5))
    return refused("--error-rate is '" + options.error_rate + "'; give a number between 0 and 0.5");
  return {};
}

}  // namespace assay_program
