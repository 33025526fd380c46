#pragma once

#include "assay/core/config.hpp"
#include "assay/core/process/file_descriptor.hpp"

namespace assay::inline v0::detail {

/// A socket whose datagrams the kernel stamps, once it does so. Linux begins to stamp what arrives shortly *after* the
/// first socket of the machine asks for it, so that a run's first answers came without: while this one is open, there
/// is no such time. Waits 0.2 s at most; empty where no stamp comes or there is no loopback interface.
[[nodiscard]] FileDescriptor open_stamping_socket();

/// Whether a datagram that the socket sends to itself comes with a stamp. Waits 5 ms for it at most.
[[nodiscard]] bool next_is_stamped(int socket);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/serving/detail/stamping_socket.ipp"
#endif
