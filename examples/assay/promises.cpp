#include "promises.hpp"

#include <string>
#include <utility>

#include "assay/adapters/onednn/promises.hpp"
#include "assay/profile/profile_file.hpp"
#include "suites/instruction_sets.hpp"
#include "suites/library.hpp"
#include "suites/plugins.hpp"

namespace assay_program {

namespace {

/// What libraries' vendors document, and plugins say of themselves.
std::vector<assay::UnitPromise> declared_promises() {
  std::vector<assay::UnitPromise> all = promises_of_plugins();
  const auto add = [&](const std::string& backend) {
    for (assay::UnitPromise& promise : assay::onednn_promises(backend)) all.push_back(std::move(promise));
  };
  add("onednn");
  for (const InstructionSetChoice& choice : instruction_set_choices("onednn")) add("onednn@" + choice.name);
  return all;
}

/// What a profile shows that has to be promised.
assay::Result<assay::UnitPromise> promise_of_profile(const std::string& file) {
  const auto profile = assay::read_profile(file);
  if (!profile) return profile.propagate();
  const auto flushed = [](const assay::Determined<assay::UnitSubnormals>& finding) {
    return finding && *finding == assay::UnitSubnormals::flushed;
  };
  const assay::NumericProfile& found = profile.value();
  if (!flushed(found.input_subnormals) && !flushed(found.sum_subnormals) && !flushed(found.output_subnormals))
    return assay::failure(assay::ErrorKind::invalid,
                          "--promise " + file +
                              ": this profile shows no flushing of subnormal numbers, so there is "
                              "nothing to judge by");
  assay::UnitPromise promise{assay::UnitProperty::flush_products, {found.a}, "measured by assay profile, " + file};
  if (found.b != found.a) promise.formats.push_back(found.b);
  return promise;
}

}  // namespace

assay::Result<std::vector<assay::UnitPromise>> promises_for(const CommandLine& line) {
  std::string typed;
  std::vector<assay::UnitPromise> asked;
  for (const std::string& text : line.promises) {
    if (text.size() > 5 && text.compare(text.size() - 5, 5, ".json") == 0) {
      auto promise = promise_of_profile(text);
      if (!promise) return promise.propagate();
      asked.push_back(std::move(promise).value());
      continue;
    }
    typed += (typed.empty() ? "" : ",") + text;
  }
  if (!typed.empty()) {
    auto read = assay::read_promises(typed, "promised by --promise");
    if (!read) return assay::failure(read.error().kind, "--promise: " + read.error().message);
    for (assay::UnitPromise& promise : read.value()) asked.push_back(std::move(promise));
  }
  if (const auto checked = assay::check_promises(asked); !checked)
    return assay::failure(checked.error().kind, "--promise: " + checked.error().message);
  return assay::joined_promises(declared_promises(), asked);
}

}  // namespace assay_program
