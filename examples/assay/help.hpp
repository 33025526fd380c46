#pragma once

namespace CLI {
class App;
}

namespace assay_program {

/// Puts under the help of every command that has none: examples, which the tests read as a user would type them, and
/// exit codes.
void add_footers(CLI::App& app);

}  // namespace assay_program
