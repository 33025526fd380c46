#include "own_problems.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "assay/suite/glob.hpp"

namespace assay_program {

namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// A name as letters, with '#' for every number in it, and the numbers.
struct Spelling {
  std::string letters;
  std::vector<std::string> numbers;
};

Spelling spelled(const std::string& name) {
  Spelling spelling;
  bool in_number = false;
  for (const char letter : name) {
    if (!is_digit(letter)) {
      spelling.letters += letter;
    } else if (in_number) {
      spelling.numbers.back() += letter;
    } else {
      spelling.letters += '#';
      spelling.numbers.emplace_back(1, letter);
    }
    in_number = is_digit(letter);
  }
  return spelling;
}

/// A problem that the user names, and the operations that she may mean.
struct NamedProblem {
  std::string name;
  std::vector<std::string> operations;  ///< names or globs; none: all
};

bool is_whole_name(const std::string& text) {
  return !text.empty() && text.find_first_of("*?") == std::string::npos;
}

std::vector<NamedProblem> named_problems(const assay::Selection& selection) {
  std::vector<NamedProblem> problems;
  for (const std::string& shape : selection.shapes)
    if (is_whole_name(shape)) problems.push_back({shape, selection.operations});
  for (const std::string& id : selection.only) {
    std::vector<std::string> parts(1);
    for (const char letter : id)
      if (letter == '/')
        parts.emplace_back();
      else
        parts.back() += letter;
    constexpr std::size_t shape = 3;  // operation/backend/formats/shape/data
    if (parts.size() > shape && is_whole_name(parts[shape])) problems.push_back({parts[shape], {parts[0]}});
  }
  return problems;
}

bool is_of(const NamedProblem& problem, const assay::Case& entry) {
  return problem.operations.empty() ||
         std::any_of(problem.operations.begin(), problem.operations.end(), [&](const std::string& pattern) {
           return assay::glob_matches(pattern, entry.labels.at("operation"));
         });
}

/// A kernel with another problem than the one that its case is about.
class OtherProblem final : public assay::RecordedKernel {
 public:
  OtherProblem(std::shared_ptr<const assay::RecordedKernel> kernel, std::vector<assay::RecordedField> problem)
      : kernel_(std::move(kernel)), problem_(std::move(problem)) {}

  [[nodiscard]] assay::CaseRecord record(std::uint64_t seed) const override {
    assay::CaseRecord record = kernel_->record(seed);
    record.problem = problem_;
    return record;
  }
  [[nodiscard]] assay::Outcome run(const assay::CaseRecord& record) const override { return kernel_->run(record); }
  [[nodiscard]] assay::Result<assay::CaseRecord> with_values(assay::CaseRecord record) const override {
    return kernel_->with_values(std::move(record));
  }
  [[nodiscard]] std::vector<assay::RecordedField> simplest() const override { return kernel_->simplest(); }

 private:
  std::shared_ptr<const assay::RecordedKernel> kernel_;
  std::vector<assay::RecordedField> problem_;
};

/// What the problems of an operation that are spelled alike have in common: which member each number is.
class Grammar {
 public:
  void add(const Spelling& spelling, std::vector<assay::RecordedField> problem) {
    if (members_.empty())
      for (std::size_t i = 0; i < spelling.numbers.size(); ++i) {
        members_.emplace_back();
        for (std::size_t field = 0; field < problem.size(); ++field) members_.back().insert(field);
      }
    for (std::size_t i = 0; i < members_.size(); ++i)
      std::erase_if(members_[i], [&](std::size_t field) {
        return field >= problem.size() || problem[field].value != spelling.numbers[i];
      });
  }

  /// The problem of that spelling, from one that is spelled alike; nothing where a number that differs is none of the
  /// members.
  [[nodiscard]] std::optional<std::vector<assay::RecordedField>> problem(const Spelling& asked, const Spelling& known,
                                                                         std::vector<assay::RecordedField> base) const {
    std::set<std::size_t> used;
    for (std::size_t i = 0; i < asked.numbers.size(); ++i) {
      const auto member = std::find_if(members_[i].begin(), members_[i].end(),
                                       [&](std::size_t field) { return used.count(field) == 0; });
      if (member == members_[i].end()) {
        if (asked.numbers[i] == known.numbers[i]) continue;
        return std::nullopt;
      }
      used.insert(*member);
      base[*member].value = asked.numbers[i];
    }
    return base;
  }

 private:
  std::vector<std::set<std::size_t>> members_;  ///< of each number, the fields that have been equal to it always
};

assay::Case own_case(const assay::Case& base, const std::string& name, std::vector<assay::RecordedField> problem) {
  assay::Case entry = base;
  const std::string of_base = "/" + base.labels.at("shape") + "/";
  entry.id.replace(entry.id.find(of_base), of_base.size(), "/" + name + "/");
  entry.labels["shape"] = name;
  entry.tags.clear();
  entry.explain = nullptr;
  const auto kernel = std::make_shared<OtherProblem>(base.kernel, std::move(problem));
  entry.kernel = kernel;
  entry.run = [kernel, name](const assay::CaseContext& context) {
    assay::CaseRecord record = kernel->record(context.seed);
    record.repetitions = context.repetitions;
    assay::Outcome outcome = kernel->run(record);
    if (const std::string ran = outcome.label("shape"); !ran.empty() && ran != name) {
      outcome = assay::Outcome();
      outcome.verdict = assay::Verdict::error;
      outcome.reason = "the problem '" + name + "' was read as '" + ran +
                       "', so that nothing is known of it; write it as ids do (assay list shapes)";
    }
    return outcome;
  };
  return entry;
}

}  // namespace

bool names_problems(const assay::Selection& selection) {
  return !named_problems(selection).empty();
}

void add_own_problems(assay::Suite& cases, const assay::Selection& selection) {
  std::vector<assay::Case> added;
  std::set<std::string> ids;
  for (const NamedProblem& problem : named_problems(selection)) {
    const Spelling asked = spelled(problem.name);
    if (asked.numbers.empty()) continue;
    std::set<std::string> knowing;  // operations that have it
    for (const assay::Case& entry : cases)
      if (entry.labels.at("shape") == problem.name) knowing.insert(entry.labels.at("operation"));
    if (problem.operations.empty() && !knowing.empty()) continue;
    std::map<std::string, Grammar> grammars;
    std::vector<std::tuple<const assay::Case*, Spelling, std::vector<assay::RecordedField>>> alike;
    for (const assay::Case& entry : cases) {
      const std::string& operation = entry.labels.at("operation");
      if (!entry.kernel || knowing.count(operation) > 0 || !is_of(problem, entry)) continue;
      Spelling spelling = spelled(entry.labels.at("shape"));
      if (spelling.letters != asked.letters) continue;
      std::vector<assay::RecordedField> fields = entry.kernel->record(0).problem;
      grammars[operation].add(spelling, fields);
      alike.emplace_back(&entry, std::move(spelling), std::move(fields));
    }
    for (auto& [base, spelling, fields] : alike) {
      auto own = grammars.at(base->labels.at("operation")).problem(asked, spelling, std::move(fields));
      if (!own) continue;
      assay::Case entry = own_case(*base, problem.name, std::move(*own));
      if (ids.insert(entry.id).second) added.push_back(std::move(entry));
    }
  }
  for (assay::Case& entry : added) cases.push_back(std::move(entry));
}

std::string unreadable_problems(const assay::Suite& cases, const assay::Selection& selection) {
  std::string text;
  for (const NamedProblem& problem : named_problems(selection)) {
    const Spelling asked = spelled(problem.name);
    std::string nearest;
    std::size_t most = 0;
    bool known = false;
    for (const assay::Case& entry : cases) {
      if (!is_of(problem, entry)) continue;
      const std::string& shape = entry.labels.at("shape");
      known = known || shape == problem.name;
      const std::string letters = spelled(shape).letters;
      const auto differs = std::mismatch(letters.begin(), letters.end(), asked.letters.begin(), asked.letters.end());
      const auto alike = static_cast<std::size_t>(differs.first - letters.begin());
      if (nearest.empty() || alike > most) {
        most = alike;
        nearest = shape;
      }
    }
    if (known || nearest.empty()) continue;
    std::size_t place = 0;  // of the name, that many letters and numbers in
    for (std::size_t i = 0; i < most && place < problem.name.size(); ++i) {
      const bool number = is_digit(problem.name[place++]);
      while (number && place < problem.name.size() && is_digit(problem.name[place])) ++place;
    }
    text += "; the problem '" + problem.name + "' is written like none of the suite from '" +
            problem.name.substr(std::min(place, problem.name.size())) + "' on: '" + nearest +
            "' is the nearest, whose numbers may be others";
  }
  return text;
}

}  // namespace assay_program
