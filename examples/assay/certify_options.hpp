#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay certify` is asked for.
struct CertifyOptions {
  std::string plan;  ///< the name of a ready one, or a file
  std::string output_folder;
  std::string by;                     ///< who signs; empty: nobody, and no certificate
  std::vector<std::string> attested;  ///< what that person vouches for
  std::vector<std::string> previous;  ///< results of the release before
  unsigned jobs = 0;                  ///< stages side by side at most; 0: one for each four processors
  std::string shard;                  ///< "2/4" or "from-env"; empty: all of the plan
  std::vector<std::string> joined;    ///< folders of shards, to make one certificate of
  std::string verified;               ///< a folder whose certificate is to be checked; empty: none
  bool print_checklist = false, print_plan = false, print_policy = false;
};

void add_certify_command(CLI::App& app, CertifyOptions& options);

}  // namespace assay_program
