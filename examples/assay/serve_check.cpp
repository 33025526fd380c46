#include <string>
#include <utility>

#include "commands.hpp"
#include "fault.hpp"
#include "serve.hpp"

#if defined(ASSAY_HAS_BOOST_MATH)
#include "assay/serving/server_check.hpp"
#endif

namespace assay_program {

#if defined(ASSAY_HAS_BOOST_MATH)
int serve_check(const CommandLine& line) {
  const ServeOptions& given = line.serve;
  auto opened = ServeSession::open(line);
  if (!opened) return fault(opened.error().message);
  ServeSession& session = *opened.value();
  assay::ServerCheckOptions options;
  options.request = session.request();
  options.prompts = session.prompts();
  options.distinct = given.check_prompts;
  options.tokens = given.check_tokens;
  options.users = given.check_users;
  options.rounds = given.rounds;
  options.samples = given.samples;
  options.require_invariance = given.require_invariance;
  options.only = given.checks;
  options.seed = given.seed;
  options.deadline = given.deadline;
  options.key = session.key();
  options.stop = &session.stop();
  options.begins = [&](const std::string& check) { session.tell("checking " + check); };
  options.ended = [&](const assay::RequestRecord& record) { session.take(record); };
  auto outcomes = assay::check_server(session.server(), options);
  if (!outcomes) return fault(outcomes.error().message);
  const std::size_t planned = given.checks.empty() ? assay::server_check_names().size() : given.checks.size();
  return session.finish("Answers of " + given.url, std::move(outcomes).value(), planned);
}
#else
int serve_check(const CommandLine&) {
  return fault("serve-check is left out of this program: Boost.Math was not found when it was built");
}
#endif

}  // namespace assay_program
