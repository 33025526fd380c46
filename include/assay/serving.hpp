#pragma once

/// Everything of assay/serving/ that needs no optional library.

#include "assay/serving/answer_check.hpp"
#include "assay/serving/arrival_times.hpp"
#include "assay/serving/early_stopping.hpp"
#include "assay/serving/event_stream_reader.hpp"
#include "assay/serving/http_response_reader.hpp"
#include "assay/serving/latency_limits.hpp"
#include "assay/serving/latency_percentile.hpp"
#include "assay/serving/load_summary.hpp"
#include "assay/serving/rate_search.hpp"
#include "assay/serving/request_metrics.hpp"
#include "assay/serving/request_record.hpp"
#include "assay/serving/sampling.hpp"
#include "assay/serving/scenario.hpp"
#include "assay/serving/speculative_decoding.hpp"
#include "assay/serving/stream_client_options.hpp"
#include "assay/serving/token_count.hpp"
#include "assay/serving/workload.hpp"
