#include "own_problems.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

/// In the order of their first mention, each once.
std::vector<NamedProblem> named_problems(const assay::Selection& selection) {
  std::vector<NamedProblem> problems;
  std::set<std::pair<std::string, std::vector<std::string>>> mentioned;
  const auto add = [&](const std::string& name, const std::vector<std::string>& operations) {
    if (mentioned.emplace(name, operations).second) problems.push_back({name, operations});
  };
  for (const std::string& shape : selection.shapes)
    if (is_whole_name(shape)) add(shape, selection.operations);
  for (const std::string& id : selection.only) {
    std::vector<std::string> parts(1);
    for (const char letter : id)
      if (letter == '/')
        parts.emplace_back();
      else
        parts.back() += letter;
    constexpr std::size_t shape = 3;  // operation/backend/formats/shape/data
    if (parts.size() > shape && is_whole_name(parts[shape])) add(parts[shape], {parts[0]});
  }
  return problems;
}

bool is_of(const NamedProblem& problem, const std::string& operation) {
  return problem.operations.empty() ||
         std::any_of(problem.operations.begin(), problem.operations.end(),
                     [&](const std::string& pattern) { return assay::glob_matches(pattern, operation); });
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

std::string own_id(const assay::Case& base, const std::string& name) {
  const std::string of_base = "/" + base.labels.at("shape") + "/";
  std::string id = base.id;
  return id.replace(id.find(of_base), of_base.size(), "/" + name + "/");
}

assay::Case own_case(const assay::Case& base, const std::string& name, std::vector<assay::RecordedField> problem) {
  assay::Case entry = base;
  entry.id = own_id(base, name);
  entry.labels["shape"] = name;
  entry.tags.clear();
  const auto kernel = std::make_shared<OtherProblem>(base.kernel, std::move(problem));
  entry.kernel = kernel;
  entry.explain = [kernel](const assay::CaseContext& context) {
    const assay::Outcome outcome =
        kernel->run(kernel->record(context.seed));  // who asks knows the problem's type, not we
    if (!outcome.derivation.empty()) return outcome.derivation;
    return std::vector<std::string>{std::string(name_of(outcome.verdict)) + ": " + outcome.reason};
  };
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

/// The problems that an operation has, by name.
using KnownShapes = std::map<std::string, std::set<std::string>>;

KnownShapes known_shapes(const assay::Suite& cases) {
  KnownShapes shapes;
  for (const assay::Case& entry : cases) shapes[entry.labels.at("operation")].insert(entry.labels.at("shape"));
  return shapes;
}

/// A case whose problem is spelled like others.
struct SpelledCase {
  std::size_t position = 0;  ///< in the suite
  Spelling spelling;
  std::vector<assay::RecordedField> fields;  ///< of its problem
};

/// The cases of one operation whose problems are spelled alike.
struct AlikeCases {
  std::vector<SpelledCase> cases;
  Grammar grammar;
};

/// By the letters, then by the operation; of the letters that are asked for.
using Spellings = std::map<std::string, std::map<std::string, AlikeCases>>;

Spellings spellings_of(const assay::Suite& cases, const std::set<std::string>& letters) {
  Spellings spellings;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!cases[i].kernel) continue;
    Spelling spelling = spelled(cases[i].labels.at("shape"));
    if (letters.count(spelling.letters) == 0) continue;
    AlikeCases& alike = spellings[spelling.letters][cases[i].labels.at("operation")];
    std::vector<assay::RecordedField> fields = cases[i].kernel->record(0).problem;
    alike.grammar.add(spelling, fields);
    alike.cases.push_back({i, std::move(spelling), std::move(fields)});
  }
  return spellings;
}

/// A problem that nothing of the suite is called.
struct MissingProblem {
  NamedProblem named;
  Spelling spelling;
  std::set<std::string> knowing;  ///< operations that have it
};

std::vector<MissingProblem> missing_problems(const assay::Suite& cases, const assay::Selection& selection) {
  std::vector<MissingProblem> missing;
  const KnownShapes shapes = known_shapes(cases);
  for (NamedProblem& problem : named_problems(selection)) {
    Spelling spelling = spelled(problem.name);
    if (spelling.numbers.empty()) continue;
    std::set<std::string> knowing;
    bool any_other = false;
    for (const auto& [operation, names] : shapes)
      if (names.count(problem.name) > 0)
        knowing.insert(operation);
      else
        any_other = any_other || is_of(problem, operation);
    if (any_other && (knowing.empty() || !problem.operations.empty()))
      missing.push_back({std::move(problem), std::move(spelling), std::move(knowing)});
  }
  return missing;
}

}  // namespace

bool names_problems(const assay::Selection& selection) {
  return !named_problems(selection).empty();
}

void add_own_problems(assay::Suite& cases, const assay::Selection& selection) {
  const std::vector<MissingProblem> missing = missing_problems(cases, selection);
  if (missing.empty()) return;
  std::set<std::string> letters, ids;
  for (const MissingProblem& problem : missing) letters.insert(problem.spelling.letters);
  const Spellings spellings = spellings_of(cases, letters);
  std::vector<assay::Case> added;
  for (const auto& [named, asked, knowing] : missing) {
    const auto found = spellings.find(asked.letters);
    if (found == spellings.end()) continue;
    std::vector<std::pair<const SpelledCase*, const Grammar*>> alike;  // in the order of the suite
    for (const auto& [operation, of_operation] : found->second) {
      if (knowing.count(operation) > 0 || !is_of(named, operation)) continue;
      for (const SpelledCase& entry : of_operation.cases) alike.emplace_back(&entry, &of_operation.grammar);
    }
    std::sort(alike.begin(), alike.end(),
              [](const auto& left, const auto& right) { return left.first->position < right.first->position; });
    for (const auto& [entry, grammar] : alike) {
      const assay::Case& base = cases[entry->position];
      if (ids.count(own_id(base, named.name)) > 0) continue;
      auto own = grammar->problem(asked, entry->spelling, entry->fields);
      if (!own) continue;
      added.push_back(own_case(base, named.name, std::move(*own)));
      ids.insert(added.back().id);
    }
  }
  for (assay::Case& entry : added) cases.push_back(std::move(entry));
}

std::string unreadable_problems(const assay::Suite& cases, const assay::Selection& selection) {
  struct Known {
    std::string operation, shape, letters;
  };
  std::vector<Known> all;  // in the order of the suite, each once
  std::set<std::pair<std::string, std::string>> seen;
  for (const assay::Case& entry : cases) {
    const std::string &operation = entry.labels.at("operation"), &shape = entry.labels.at("shape");
    if (seen.emplace(operation, shape).second) all.push_back({operation, shape, spelled(shape).letters});
  }
  std::string text;
  for (const NamedProblem& problem : named_problems(selection)) {
    const Spelling asked = spelled(problem.name);
    std::string nearest;
    std::size_t most = 0;
    bool known = false;
    for (const auto& [operation, shape, letters] : all) {
      if (!is_of(problem, operation)) continue;
      known = known || shape == problem.name;
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
