#include "structure/project.hpp"

using namespace assay::testing;

namespace {

/// Headers without a test of their own, and why.
const std::map<std::string, std::string> exceptions{
    {"backends/capabilities.hpp", "an aggregate without behavior"},
    {"collectives/flight/flight_record.hpp",
     "an aggregate; its words are tested by collectives/flight/hang_report.hpp's test"},
    {"collectives/flight/hang_cause.hpp",
     "an enumeration; collectives/flight/hang_report.hpp, which finds each, is tested"},
    {"collectives/flight/rank_flight.hpp", "an aggregate; what fills and reads it is tested"},
    {"collectives/in_process/collective_algorithm.hpp",
     "an enumeration; collectives/in_process/in_process_collective.hpp, which acts on it, is tested"},
    {"collectives/in_process/in_process_hooks.hpp",
     "an aggregate of functions; collectives/in_process/in_process_world.hpp's test has them called"},
    {"collectives/in_process/in_process_options.hpp", "an aggregate; what reads it is tested"},
    {"collectives/preflight/preflight_result.hpp",
     "an aggregate; collectives/preflight/preflight.hpp, which fills it, is tested"},
    {"collectives/stragglers/straggler_report.hpp",
     "an aggregate with its words; those that fill it, and read the words, are tested"},
    {"collectives/mpi_coordinator.hpp", "collectives/mpi.cpp, which mpirun runs, tests it"},
    {"collectives/mpi_session.hpp", "collectives/mpi.cpp, which mpirun runs, tests it"},
    {"core/environment.hpp", "an aggregate without behavior; what fills it is tested"},
    {"core/measurement.hpp", "an aggregate without behavior"},
    {"core/series.hpp", "an aggregate without behavior"},
    {"core/table.hpp", "an aggregate without behavior"},
    {"core/rolled.hpp", "a macro in front of loops on devices; bench/gpu measures what it saves"},
    {"formats/rounding.hpp", "enumerations; formats/float_layout.hpp, which acts on them, is tested"},
    {"frameworks/door/graph_executor.hpp", "aggregates and a concept; the doors that satisfy it are tested"},
    {"frameworks/operations/elementwise_graph.hpp", "frameworks/operations/all_operation_graphs.cpp tests every graph"},
    {"frameworks/operations/image_graph.hpp", "frameworks/operations/all_operation_graphs.cpp tests every graph"},
    {"frameworks/operations/lane_graph.hpp", "frameworks/operations/all_operation_graphs.cpp tests every graph"},
    {"frameworks/operations/layout_graph.hpp", "frameworks/operations/all_operation_graphs.cpp tests every graph"},
    {"frameworks/operations/product_graph.hpp", "frameworks/operations/all_operation_graphs.cpp tests every graph"},
    {"frameworks/operations/operation_graph.hpp",
     "aggregates; frameworks/operations/all_operation_graphs.cpp fills them"},
    {"kernels/nan_policy.hpp", "an enumeration; the operations that act on it are tested"},
    {"report/html_options.hpp", "an aggregate without behavior"},
    {"report/run_reader.hpp", "reads a run for report/json.hpp and release/, whose tests read whole and damaged ones"},
    {"statistics/samples.hpp", "helpers of the tests of statistics, whose tests run them"},
    {"suite/case_record.hpp",
     "an aggregate and an interface; validators/minimize/, which fills and implements them, is tested"},
    {"validators/operand_storage.hpp", "an aggregate; checks of operations act on it"},
    {"validators/failures/diagnosis_options.hpp", "an aggregate; what reads it is tested"},
    {"faults/emulated_sum.hpp", "the conformance of normalizations and cross entropy runs it"},
    {"validators/relations/check_relation.hpp",
     "the tests of each operation's relations run it on right and on faulty kernels"},
    {"validators/relations/gemm_operation.hpp", "the tests of GEMM's relations run it"},
    {"validators/relations/relation.hpp", "an aggregate; the tests of each operation's relations fill and run it"},
};

}  // namespace

TEST_CASE("tests of the project mirror its headers") {
  check_none(mirror_violations(project_headers(), project_tests(), exceptions));
}

TEST_CASE("one test body covers an operation and its faults") {
  Tree headers{{"kernels/softmax/problem.hpp", ""},
               {"kernels/softmax/reference.hpp", ""},
               {"faults/softmax_faults.hpp", ""},
               {"faults/emulated_softmax.hpp", ""}};
  CHECK(mirror_violations(headers, {{"kernels/softmax.cpp", ""}}, {}) == Violations{});
  CHECK(mirror_violations(headers, {{"kernels/softmin.cpp", ""}}, {}).size() == 4);
}

TEST_CASE("a header without a test, and a stale exception, are found") {
  Tree headers{{"core/a.hpp", ""}, {"core/b.hpp", ""}, {"core/detail/c.hpp", ""}, {"core.hpp", ""}};
  Tree tests{{"core/a.cpp", ""}};
  std::map<std::string, std::string> list{{"core/b.hpp", "an aggregate"}};
  REQUIRE(mirror_violations(headers, tests, list) == Violations{});
  SECTION("a new header") {
    headers["kernels/gemm/d.hpp"] = "";
  }
  SECTION("a test at another path") {
    tests.erase("core/a.cpp");
    tests["core/detail/a.cpp"] = "";
  }
  SECTION("an exception whose header is gone") {
    headers.erase("core/b.hpp");
  }
  SECTION("an exception that has a test") {
    tests["core/b.cpp"] = "";
  }
  SECTION("an exception without a reason") {
    list["core/b.hpp"].clear();
  }
  CHECK(mirror_violations(headers, tests, list).size() == 1);
}
