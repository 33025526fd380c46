#include "certify_options.hpp"

#include <CLI/CLI.hpp>

namespace assay_program {

void add_certify_command(CLI::App& app, CertifyOptions& options) {
  CLI::App& certify = *app.add_subcommand("certify", "run a plan, judge it by the checklist of a release, and sign it");
  certify
      .add_option("--plan", options.plan, "smoke, node-acceptance, nightly, driver-release, model-release, or a file")
      ->type_name("NAME|FILE.json");
  certify.add_option("--out", options.output_folder, "evidence, page and certificate; again: goes on where it stopped")
      ->type_name("DIR");
  certify.add_option("--by", options.by, "who signs: without it an approval makes no certificate")->type_name("NAME");
  certify.add_option("--attest", options.attested, "what that person vouches for: notes")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME[,NAME…]");
  certify
      .add_option("--previous", options.previous,
                  "evidence of the release before: what it has and this has not is undecided")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("RESULTS[,RESULTS…]");
  certify
      .add_option("--jobs", options.jobs,
                  "stages side by side at most; one that measures runs alone (one for each four processors)")
      ->type_name("N");
  certify
      .add_option("--shard", options.shard,
                  "run part i of n of the plan's stages; from-env: as Slurm, Kubernetes, GitLab or mpirun tell")
      ->type_name("i/n|from-env");
  certify
      .add_option("--join", options.joined,
                  "judge and sign what shards have found, each in a folder of its own; a missing one is not seen")
      ->delimiter(',')
      ->type_name("DIR…");
  certify.add_option("--verify", options.verified, "check a certificate: hashes of all files, and the verdict again")
      ->type_name("DIR");
  certify.add_flag("--print-checklist", options.print_checklist, "rows, and which stages of the plan answer them");
  certify.add_flag("--print-plan", options.print_plan, "print the plan, to copy from");
  certify.add_flag("--print-policy", options.print_policy, "print the checklist as a policy, to copy from");
}

}  // namespace assay_program
