#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// OpenSSL's libssl, opened when a server speaks TLS: no program needs it otherwise.
struct OpenSsl;
/// The library, opened once. Error `unsupported` with what to install.
[[nodiscard]] Result<const OpenSsl*> open_ssl();

/// Whose certificates are taken, for all connections to a server.
class TlsContext {
 public:
  /// Certificates are verified by those of the system, or of the file `authority`, and must be of `host`.
  /// Errors: `unsupported`: no library; `not_found`, `malformed`: no certificates in `authority`.
  [[nodiscard]] static Result<std::unique_ptr<TlsContext>> open(std::string host, const std::string& authority,
                                                                bool verified);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 private:
  friend class TlsSession;
  TlsContext(const OpenSsl& library, std::string host, bool verified);
  const OpenSsl& library_;
  std::string host_;
  bool verified_;
  void* context_ = nullptr;
};

/// One connection's TLS between bytes of the wire and plain ones; it touches no socket, so that the kernel's stamps
/// stay those of what arrived.
class TlsSession {
 public:
  /// Begins the handshake.
  explicit TlsSession(const TlsContext& context);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// Takes what arrived and goes on with the handshake. False: `error` says why.
  [[nodiscard]] bool take(std::string_view wire);
  /// Both sides have agreed, and the certificate is accepted.
  [[nodiscard]] bool agreed() const noexcept { return agreed_; }
  /// What arrived in plain, up to now. False as of `take`.
  [[nodiscard]] bool read(std::string& plain);
  /// Encrypts. Precondition: `agreed`.
  [[nodiscard]] bool write(std::string_view plain);
  /// What is to be sent, which is then forgotten.
  [[nodiscard]] std::string outgoing();
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  bool shake();
  bool failed(int code);
  const OpenSsl& library_;
  void *session_ = nullptr, *in_ = nullptr, *out_ = nullptr;
  bool agreed_ = false;
  std::string error_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/serving/detail/tls_session.ipp"
#endif
