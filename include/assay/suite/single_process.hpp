#pragma once

#include <cstdlib>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace assay::inline v0::detail {

/// A process that is forked while this lives ends where this does: what comes after is its parent's to do.
class SingleProcess {
 public:
#if defined(__unix__) || defined(__APPLE__)
  SingleProcess() : process_(::getpid()) {}
  ~SingleProcess() {
    if (::getpid() != process_) ::_exit(EXIT_SUCCESS);
  }
#else
  SingleProcess() : process_(0) {}
  ~SingleProcess() {
    static_cast<void>(process_);
  }
#endif
  SingleProcess(const SingleProcess&) = delete;
  SingleProcess& operator=(const SingleProcess&) = delete;

 private:
  const long process_;
};

}  // namespace assay::inline v0::detail
