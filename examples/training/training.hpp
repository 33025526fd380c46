#pragma once

#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/training/training_subject.hpp"

/// What the program was asked for.
struct Request {
  assay::Index steps = 40;
  int seeds = 6;
  bool faults = false;  ///< training with each fault instead of right training
  std::string page;     ///< an HTML file to write; empty: none
  bool over_mpi = false;
};

/// Right training of one subject, in float32 and bfloat16, sharded and not; or with every fault, in float32.
std::vector<assay::Outcome> judge(const assay::TrainingSubject& subject, const Request& request);

/// Judges the ranks of an mpirun, and shows what was found on the first. Without MPI in the build it says so.
int run_over_mpi(const Request& request);

/// Prints the table, writes the page, and gives the exit code: 0 if everything is as it should be, faults caught
/// included.
int show(std::vector<assay::Outcome> outcomes, const Request& request, const std::string& command);
