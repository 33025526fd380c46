// A suite of all operations on the host, in one unit: what the templates of a team's validators cost a compiler.
#include "assay/all.hpp"

namespace {

template <class... Ops>
void add_operations(assay::Suite& suite, const assay::Host& worker, assay::Operations<Ops...>) {
  (assay::add_operation_cases<Ops>(suite, worker, assay::portable_operation_subject<Ops>(worker)), ...);
}

}  // namespace

int main() {
  assay::Suite suite;
  add_operations(suite, assay::Host(), assay::AllOperations());
  assay::Console console;
  return assay::run_suite(suite, {}, assay::detect_environment(), console).exit_code();
}
