#include "assay/release/policy_file.hpp"

#include "assay/release/check_policy.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// Whether a policy can be read, and can be meant, does not depend on comments about it; its globs and conditions can
/// be asked.
void policy(std::string_view text) {
  const Result<GatePolicy> read = parse_policy(text);
  if (!read) fuzz::promise_message(read.error().message);
  const Result<GatePolicy> commented =
      parse_policy("// a word before it\n /* and another */ " + std::string(text) + "\n// and after it");
  fuzz::promise(
      read.has_value() == commented.has_value() || text.find("/*") != text.npos || text.substr(0, 3) == "\xEF\xBB\xBF",
      "comments change nothing");
  if (!read) return;
  const Result<void> meant = check(read.value());
  if (!meant) fuzz::promise_message(meant.error().message);
  fuzz::promise(!commented || (check(commented.value()).has_value() == meant.has_value() &&
                               commented.value().gates.size() == read.value().gates.size()),
                "comments change no gate");
  Outcome outcome;
  outcome.id = "gemm/host/bf16.f32.bf16/m1-n1-k1-nn/normal";
  outcome.labels["operation"] = "gemm";
  for (const Gate& gate : read.value().gates) (void)gate.selection.takes(outcome);
}

const fuzz::Registration registration_of_policy("policy", policy);

}  // namespace
