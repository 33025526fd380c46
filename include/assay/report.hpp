#pragma once

/// Everything of assay/report/ that needs no optional library.

#include "assay/report/chart_scale.hpp"
#include "assay/report/console.hpp"
#include "assay/report/distribution_chart.hpp"
#include "assay/report/heat_map_chart.hpp"
#include "assay/report/html.hpp"
#include "assay/report/html_options.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/markdown.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/progress.hpp"
#include "assay/report/ratio_strip.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/scatter_chart.hpp"
#include "assay/report/series_chart.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/terminal.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"
#include "assay/report/write_file.hpp"
