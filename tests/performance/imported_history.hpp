#pragma once

#include <string>

#include "assay/performance/history.hpp"
#include "assay/performance/history_store.hpp"
#include "assay/performance/import_options.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// What an import brings, as a history whose runs a store would take.
inline History history_of(const Result<Imported>& imported) {
  INFO((imported ? std::string() : imported.error().message));
  REQUIRE(imported);
  History history;
  for (const HistoryRun& run : imported.value().runs) {
    REQUIRE(check_history_run(run));
    history.add(run);
  }
  return history;
}

}  // namespace assay::testing
