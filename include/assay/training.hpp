#pragma once

/// Everything of assay/training/ that needs no optional library.

#include "assay/training/adamw.hpp"
#include "assay/training/audit_training.hpp"
#include "assay/training/check_gradient_type.hpp"
#include "assay/training/check_resume.hpp"
#include "assay/training/check_sharding.hpp"
#include "assay/training/checkpoint.hpp"
#include "assay/training/data_parallel_trainer.hpp"
#include "assay/training/drift_bound.hpp"
#include "assay/training/in_process_training.hpp"
#include "assay/training/language_model.hpp"
#include "assay/training/pipeline_parallel.hpp"
#include "assay/training/scaling_efficiency.hpp"
#include "assay/training/tensor_parallel.hpp"
#include "assay/training/training_fault.hpp"
#include "assay/training/training_options.hpp"
#include "assay/training/training_state.hpp"
#include "assay/training/training_subject.hpp"
#include "assay/training/training_trace.hpp"
