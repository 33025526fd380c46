#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "assay/suite/case.hpp"
#include "assay/suite/spent_process.hpp"
#include "assay/validators/device/detail/device_check.hpp"

namespace assay::inline v0 {

namespace detail {
struct Nothing {
  ASSAY_FUNCTION void operator()(std::size_t) const {}
};
/// Whether the device does the least that a device can do.
template <ParallelBackend B>
[[nodiscard]] Result<void> try_device(B& backend) {
  auto stream = backend.make_stream();
  if (!stream) return stream.propagate();
  if (auto run = backend.parallel_for(stream.value(), 1, Nothing{}); !run) return run;
  return backend.synchronize(stream.value());
}
}  // namespace detail

/// A case on a device: opens a backend of its own, checks, and afterwards tries whether the device still works. Where
/// it does not (a sticky error, as after an illegal address), the outcome says so, a pass becomes an error, since
/// nothing that the device said last can be trusted, and a runner that isolates replaces the process: the error costs
/// this case and no other. Without isolation the cases that follow are errors, each with that reason.
///
/// `open` gives a `Result` of the backend; `check(backend, context)` gives an `Outcome`, whose id and labels the case's
/// take the place of.
template <class Open, class Check>
[[nodiscard]] Case device_case(std::string id, std::map<std::string, std::string> labels, Open open, Check check) {
  Case made;
  made.id = id;
  made.labels = labels;
  made.run = [id = std::move(id), labels = std::move(labels), open = std::move(open),
              check = std::move(check)](const CaseContext& context) {
    Outcome outcome;
    auto backend = open();
    if (!backend) {
      detail::refuse(outcome, backend.error());
    } else {
      outcome = check(backend.value(), context);
      if (auto alive = detail::try_device(backend.value()); !alive) {
        outcome.labels[spent_process_label] = "device lost";
        outcome.diagnosis.push_back("afterwards the device works no more in this process: " + alive.error().message);
        if (outcome.verdict == Verdict::pass && outcome.label("afterwards") != "lost") {
          outcome.verdict = Verdict::error;
          outcome.reason = "the check passed, but afterwards the device works no more: " + alive.error().message;
        }
      }
    }
    outcome.id = id;
    for (const auto& [name, value] : labels) outcome.labels[name] = value;
    return outcome;
  };
  return made;
}

}  // namespace assay::inline v0
