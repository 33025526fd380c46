#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/baselines/baseline_record.hpp"
#include "assay/baselines/detail/golden_outcome.hpp"
#include "assay/baselines/detail/observe_tensor.hpp"
#include "assay/baselines/record_form.hpp"
#include "assay/baselines/store.hpp"
#include "assay/core/environment.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/observed_output.hpp"
#include "assay/tolerance/tolerance_named.hpp"

namespace assay::inline v0 {

/// How a baseline keeps what it records.
struct BaselineOptions {
  std::size_t most_bytes = std::size_t{4}
                           << 20;     ///< of codes that are kept whole; of larger tensors digest, samples and sums are
  Index samples = 4096;               ///< of larger tensors
  std::string tolerance = "derived";  ///< that new records name
  std::string recorded_by;  ///< who approves the first records of a subject by recording them; empty: nobody yet
};

/// Golden outputs in a store: recorded once, compared with from then on, replaced only when somebody approves it.
///
/// Under the key of a subject lies its golden record, under `<key>.candidate` what somebody tried to record beside a
/// golden one that differs. Thread safety: as the store. Whatever a store or a record refuses becomes the verdict
/// `error`.
template <Store S>
class Baseline {
 public:
  /// Takes the store over, or a handle on it.
  explicit Baseline(S store, BaselineOptions options = {}) : store_(std::move(store)), options_(std::move(options)) {}

  /// Where the records lie.
  [[nodiscard]] const S& store() const { return store_; }
  /// Where the records lie.
  [[nodiscard]] S& store() { return store_; }

  /// The key of what waits for approval.
  [[nodiscard]] static std::string candidate_key(const std::string& key) { return key + ".candidate"; }

  /// Keeps an output as golden if there is none: `new_baseline`. If there is one with the same bits: `pass`, and
  /// nothing happens. If there is one with others, it stays, the output becomes the candidate, and the verdict is
  /// `fail` with what to do, whether or not it is within tolerance.
  [[nodiscard]] Outcome record(const BaselineSubject& subject, const ObservedOutput& output,
                               const Environment& environment, const std::vector<Measurement>& metrics = {}) {
    Outcome outcome = detail::begun_outcome(subject, baseline_key(subject));
    const auto refused = [&](const Error& error) { return detail::error_outcome(std::move(outcome), error); };
    auto made = make(subject, output, environment, metrics);
    if (!made) return refused(made.error());
    BaselineRecord& record = made.value();
    record.approved_by = options_.recorded_by;
    if (!record.approved_by.empty()) record.approved_at = record.created_at;
    const Result<bool> saved = save(record.key, record, SaveMode::create);
    if (!saved) return refused(saved.error());
    if (saved.value()) return detail::recorded_outcome(std::move(outcome), record, store_.describe());

    const auto present = load(record.key);
    if (!present) return refused(present.error());
    if (!present.value())
      return refused({ErrorKind::io, "the golden record " + record.key +
                                         " was there and is gone: another process erased it meanwhile; record again"});
    const BaselineRecord& golden = *present.value();
    if (golden.tensor.digest == record.tensor.digest && golden.tensor.format == record.tensor.format &&
        golden.tensor.extents == record.tensor.extents) {
      detail::tell_golden(outcome, golden);
      outcome.verdict = Verdict::pass;
      outcome.derivation.push_back("recorded before, with identical bits; nothing was written");
      return outcome;
    }
    record.approved_by = record.approved_at = "";
    record.replaces = golden.tensor.digest;
    if (const Result<bool> kept = save(candidate_key(record.key), record, SaveMode::replace); !kept)
      return refused(kept.error());
    outcome = compare_with(std::move(outcome), golden, output);
    return detail::refused_outcome(std::move(outcome), record.key);
  }

  /// Compares an output with the golden one: `pass`, `fail`, or `inconclusive` where nothing decides. None there:
  /// `new_baseline`, and nothing is written.
  [[nodiscard]] Outcome compare(const BaselineSubject& subject, const ObservedOutput& output) const {
    Outcome outcome = detail::begun_outcome(subject, baseline_key(subject));
    const auto golden = load(baseline_key(subject));
    if (!golden) return detail::error_outcome(std::move(outcome), golden.error());
    if (!golden.value()) return detail::absent_outcome(std::move(outcome), store_.describe());
    return compare_with(std::move(outcome), *golden.value(), output);
  }

  /// Puts the candidate in the place of the golden record; without a candidate, signs a golden record that nobody
  /// approved yet. Gives the record as approved. Errors: `not_found` if there is nothing to approve, `invalid` without
  /// a name or where the golden record was replaced since the candidate was recorded, and those of the store; the
  /// golden record is then as it was.
  [[nodiscard]] Result<BaselineRecord> approve(const std::string& key, const std::string& who,
                                               const std::string& note = {}) {
    if (who.empty()) return failure(ErrorKind::invalid, "a baseline is approved by somebody; give a name");
    auto candidate = load(candidate_key(key));
    if (!candidate) return candidate.propagate();
    auto golden = load(key);
    // A golden record that is damaged may be replaced: that is how it is mended.
    if (!golden && !(candidate.value() && golden.error().kind == ErrorKind::malformed)) return golden.propagate();
    if (!candidate.value() && (!golden.value() || !golden.value()->approved_by.empty()))
      return failure(ErrorKind::not_found,
                     golden.value()
                         ? "the baseline " + key + " was approved by " + golden.value()->approved_by + " at " +
                               golden.value()->approved_at + ", and there is no candidate in its place"
                         : "there is no baseline " + key + ", nor a candidate for it; record one first");
    if (candidate.value() && golden && golden.value() && candidate.value()->replaces != golden.value()->tensor.digest &&
        candidate.value()->tensor.digest !=
            golden.value()->tensor.digest)  // equal: an approval that was cut short before it removed the candidate
      return failure(
          ErrorKind::invalid,
          "the golden output of " + key +
              " is no longer the one beside which this candidate was recorded: it was replaced meanwhile, at " +
              golden.value()->approved_at +
              (golden.value()->approved_by.empty() ? "" : " by " + golden.value()->approved_by) +
              "; record again, and look at what differs");
    BaselineRecord approved = candidate.value() ? *std::move(candidate).value() : *std::move(golden).value();
    approved.approved_by = who;
    approved.approved_at = detail::now_text();
    if (!note.empty()) approved.note = note;
    if (const Result<bool> saved = save(key, approved, SaveMode::replace); !saved) return saved.propagate();
    if (const Result<bool> erased = store_.erase(candidate_key(key)); !erased) return erased.propagate();
    return approved;
  }

  /// The record under a key, golden or candidate. Errors: `malformed`, `unsupported` as `record_from_text`, those of
  /// the store.
  [[nodiscard]] Result<std::optional<BaselineRecord>> load(const std::string& key) const {
    const auto text = store_.load(key);
    if (!text) return text.propagate();
    if (!text.value()) return std::optional<BaselineRecord>();
    Result<BaselineRecord> record = record_from_text(*text.value());
    if (!record)
      return failure(record.error().kind,
                     "the record '" + key + "' of " + store_.describe() + ": " + record.error().message);
    if (record.value().key != key && candidate_key(record.value().key) != key)
      return failure(ErrorKind::malformed, "under the key '" + key + "' of " + store_.describe() +
                                               " lies the record of another, " + record.value().key +
                                               "; it was moved or copied there");
    return std::optional<BaselineRecord>(std::move(record).value());
  }

 private:
  [[nodiscard]] Result<BaselineRecord> make(const BaselineSubject& subject, const ObservedOutput& output,
                                            const Environment& environment,
                                            const std::vector<Measurement>& metrics) const {
    if (const auto known = tolerance_named(options_.tolerance); !known) return known.propagate();
    auto tensor = detail::observe_tensor(output, options_.most_bytes, options_.samples);
    if (!tensor) return tensor.propagate();
    BaselineRecord record;
    record.key = baseline_key(subject);
    record.subject = subject;
    record.tensor = std::move(tensor).value();
    record.metrics = metrics;
    record.tolerance = options_.tolerance;
    record.environment = environment;
    record.created_at = detail::now_text();
    return record;
  }

  /// What cannot be read again is not written.
  [[nodiscard]] Result<bool> save(const std::string& key, const BaselineRecord& record, SaveMode mode) {
    const std::string text = record_text(record);
    if (const auto again = record_from_text(text); !again)
      return failure(
          ErrorKind::invalid,
          "this output cannot be recorded, since the record could not be read again (is its name no UTF-8?): " +
              again.error().message);
    return store_.save(key, text, mode);
  }

  [[nodiscard]] static Outcome compare_with(Outcome outcome, const BaselineRecord& golden,
                                            const ObservedOutput& output) {
    detail::tell_golden(outcome, golden);
    auto found = output.format == golden.tensor.format && output.extents == golden.tensor.extents
                     ? detail::observe_tensor_like(output, golden.tensor)
                     : detail::observe_tensor(output, 0, 2);
    if (!found) return detail::error_outcome(std::move(outcome), found.error());
    return detail::compared_outcome(std::move(outcome), golden, found.value(), output);
  }

  S store_;
  BaselineOptions options_;
};

}  // namespace assay::inline v0
