#pragma once

/// Everything of assay/suite/ that needs no optional library.

#include "assay/suite/case.hpp"
#include "assay/suite/case_record.hpp"
#include "assay/suite/distributed_runner.hpp"
#include "assay/suite/glob.hpp"
#include "assay/suite/isolated_runner.hpp"
#include "assay/suite/isolation_options.hpp"
#include "assay/suite/merge_runs.hpp"
#include "assay/suite/message_channel.hpp"
#include "assay/suite/observed_output.hpp"
#include "assay/suite/observer_group.hpp"
#include "assay/suite/run_observer.hpp"
#include "assay/suite/run_options.hpp"
#include "assay/suite/runner.hpp"
#include "assay/suite/seed.hpp"
#include "assay/suite/selection.hpp"
#include "assay/suite/serve_cases.hpp"
#include "assay/suite/serve_distributed.hpp"
#include "assay/suite/shard.hpp"
#include "assay/suite/shard_from_environment.hpp"
#include "assay/suite/spent_process.hpp"
