#pragma once

#include "assay/serving/detail/tls_session.hpp"

#if defined(__linux__)
#include <dlfcn.h>
#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <fstream>
#include <type_traits>
#include <utility>

namespace assay::inline v0::detail {

/// The functions that are used, with the types that their headers give them; objects are opaque.
struct OpenSsl {
  const void* (*TLS_client_method)() = nullptr;
  void* (*SSL_CTX_new)(const void*) = nullptr;
  void (*SSL_CTX_free)(void*) = nullptr;
  long (*SSL_CTX_ctrl)(void*, int, long, void*) = nullptr;
  int (*SSL_CTX_set_default_verify_paths)(void*) = nullptr;
  int (*SSL_CTX_load_verify_locations)(void*, const char*, const char*) = nullptr;
  void (*SSL_CTX_set_verify)(void*, int, void*) = nullptr;
  void* (*SSL_new)(void*) = nullptr;
  void (*SSL_free)(void*) = nullptr;
  void (*SSL_set_bio)(void*, void*, void*) = nullptr;
  long (*SSL_ctrl)(void*, int, long, void*) = nullptr;
  int (*SSL_set1_host)(void*, const char*) = nullptr;
  void* (*SSL_get0_param)(void*) = nullptr;
  int (*X509_VERIFY_PARAM_set1_ip_asc)(void*, const char*) = nullptr;
  int (*SSL_connect)(void*) = nullptr;
  int (*SSL_read)(void*, void*, int) = nullptr;
  int (*SSL_write)(void*, const void*, int) = nullptr;
  int (*SSL_get_error)(const void*, int) = nullptr;
  long (*SSL_get_verify_result)(const void*) = nullptr;
  const char* (*X509_verify_cert_error_string)(long) = nullptr;
  const void* (*BIO_s_mem)() = nullptr;
  void* (*BIO_new)(const void*) = nullptr;
  int (*BIO_read)(void*, void*, int) = nullptr;
  int (*BIO_write)(void*, const void*, int) = nullptr;
  unsigned long (*ERR_get_error)() = nullptr;
  void (*ERR_clear_error)() = nullptr;
  void (*ERR_error_string_n)(unsigned long, char*, std::size_t) = nullptr;
};

/// Fills the table from a library; the name of the first function that it lacks, or nothing.
inline const char* find_functions(void* handle, OpenSsl& library) {
  const auto find = [handle](auto& function, const char* name) {
    void* const place = ::dlsym(handle, name);
    if (place == nullptr) return false;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(place);
    return true;
  };
#define ASSAY_DETAIL_FIND(name) \
  if (!find(library.name, #name)) return #name
  ASSAY_DETAIL_FIND(TLS_client_method);
  ASSAY_DETAIL_FIND(SSL_CTX_new);
  ASSAY_DETAIL_FIND(SSL_CTX_free);
  ASSAY_DETAIL_FIND(SSL_CTX_ctrl);
  ASSAY_DETAIL_FIND(SSL_CTX_set_default_verify_paths);
  ASSAY_DETAIL_FIND(SSL_CTX_load_verify_locations);
  ASSAY_DETAIL_FIND(SSL_CTX_set_verify);
  ASSAY_DETAIL_FIND(SSL_new);
  ASSAY_DETAIL_FIND(SSL_free);
  ASSAY_DETAIL_FIND(SSL_set_bio);
  ASSAY_DETAIL_FIND(SSL_ctrl);
  ASSAY_DETAIL_FIND(SSL_set1_host);
  ASSAY_DETAIL_FIND(SSL_get0_param);
  ASSAY_DETAIL_FIND(X509_VERIFY_PARAM_set1_ip_asc);
  ASSAY_DETAIL_FIND(SSL_connect);
  ASSAY_DETAIL_FIND(SSL_read);
  ASSAY_DETAIL_FIND(SSL_write);
  ASSAY_DETAIL_FIND(SSL_get_error);
  ASSAY_DETAIL_FIND(SSL_get_verify_result);
  ASSAY_DETAIL_FIND(X509_verify_cert_error_string);
  ASSAY_DETAIL_FIND(BIO_s_mem);
  ASSAY_DETAIL_FIND(BIO_new);
  ASSAY_DETAIL_FIND(BIO_read);
  ASSAY_DETAIL_FIND(BIO_write);
  ASSAY_DETAIL_FIND(ERR_get_error);
  ASSAY_DETAIL_FIND(ERR_clear_error);
  ASSAY_DETAIL_FIND(ERR_error_string_n);
#undef ASSAY_DETAIL_FIND
  return nullptr;
}

ASSAY_DETAIL_HEADER_INLINE Result<const OpenSsl*> open_ssl() {
  static const auto opened = []() -> Result<const OpenSsl*> {
    static OpenSsl library;
    void* handle = nullptr;
    for (const char* name : {"libssl.so.3", "libssl.so.1.1", "libssl.so"})
      if (handle == nullptr) handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
      return failure(
          ErrorKind::unsupported,
          "TLS needs OpenSSL, whose libssl.so.3 was not found; on Debian and Ubuntu: apt-get install libssl3");
    if (const char* missing = find_functions(handle, library); missing != nullptr)
      return failure(ErrorKind::unsupported,
                     std::string("TLS needs OpenSSL 1.1.1 or newer; the libssl that was found has no ") + missing);
    return &library;
  }();
  return opened;
}

ASSAY_DETAIL_HEADER_INLINE TlsContext::TlsContext(const OpenSsl& library, std::string host, bool verified)
    : library_(library), host_(std::move(host)), verified_(verified) {}

ASSAY_DETAIL_HEADER_INLINE TlsContext::~TlsContext() {
  if (context_ != nullptr) library_.SSL_CTX_free(context_);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::unique_ptr<TlsContext>> TlsContext::open(std::string host,
                                                                                const std::string& authority,
                                                                                bool verified) {
  const auto library = open_ssl();
  if (!library) return library.propagate();
  const OpenSsl& ssl = *library.value();
  std::unique_ptr<TlsContext> context(new TlsContext(ssl, std::move(host), verified));
  context->context_ = ssl.SSL_CTX_new(ssl.TLS_client_method());
  if (context->context_ == nullptr) return failure(ErrorKind::unsupported, "OpenSSL makes no TLS context");
  constexpr int set_least_version = 123;
  constexpr long version_1_2 = 0x0303;
  ssl.SSL_CTX_ctrl(context->context_, set_least_version, version_1_2, nullptr);
  ssl.SSL_CTX_set_verify(context->context_, verified ? 1 : 0, nullptr);
  if (!verified) return context;
  if (authority.empty()) {
    ssl.SSL_CTX_set_default_verify_paths(context->context_);
  } else if (!std::ifstream(authority)) {
    return failure(ErrorKind::not_found,
                   "'" + authority + "', which is to have certificates of authorities, cannot be read");
  } else if (ssl.SSL_CTX_load_verify_locations(context->context_, authority.c_str(), nullptr) != 1) {
    ssl.ERR_clear_error();
    return failure(ErrorKind::malformed, "'" + authority + "' has no certificates in the form PEM");
  }
  return context;
}

/// Whether it is an address in numbers, and no name.
inline bool is_address(const std::string& host) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_NUMERICHOST;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return false;
  ::freeaddrinfo(found);
  return true;
}

ASSAY_DETAIL_HEADER_INLINE TlsSession::TlsSession(const TlsContext& context) : library_(context.library_) {
  session_ = library_.SSL_new(context.context_);
  in_ = library_.BIO_new(library_.BIO_s_mem());
  out_ = library_.BIO_new(library_.BIO_s_mem());
  library_.SSL_set_bio(session_, in_, out_);  // which owns both from here on
  const std::string& host = context.host_;
  if (is_address(host)) {
    if (context.verified_) library_.X509_VERIFY_PARAM_set1_ip_asc(library_.SSL_get0_param(session_), host.c_str());
  } else {
    constexpr int set_host_name = 55;  // so that a server of several names shows the right certificate
    library_.SSL_ctrl(session_, set_host_name, 0, const_cast<char*>(host.c_str()));
    if (context.verified_) library_.SSL_set1_host(session_, host.c_str());
  }
  shake();
}

ASSAY_DETAIL_HEADER_INLINE TlsSession::~TlsSession() {
  library_.SSL_free(session_);
}

ASSAY_DETAIL_HEADER_INLINE bool TlsSession::failed(int code) {
  constexpr int want_read = 2, want_write = 3, ended = 6;
  const int error = library_.SSL_get_error(session_, code);
  if (error == want_read || error == want_write || error == ended) return false;
  const long verification = library_.SSL_get_verify_result(session_);
  std::array<char, 256> text{};
  if (const unsigned long reason = library_.ERR_get_error(); reason != 0)
    library_.ERR_error_string_n(reason, text.data(), text.size());
  library_.ERR_clear_error();
  error_ =
      verification != 0 && !agreed_
          ? std::string("the server's certificate is refused: ") + library_.X509_verify_cert_error_string(verification)
          : std::string("TLS failed: ") + (text[0] == 0 ? "the connection does not speak it" : text.data());
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool TlsSession::shake() {
  library_.ERR_clear_error();
  const int code = library_.SSL_connect(session_);
  agreed_ = code == 1;
  return agreed_ || !failed(code);
}

ASSAY_DETAIL_HEADER_INLINE bool TlsSession::take(std::string_view wire) {
  if (library_.BIO_write(in_, wire.data(), static_cast<int>(wire.size())) != static_cast<int>(wire.size())) {
    error_ = "TLS failed: no memory for what arrived";
    return false;
  }
  return agreed_ || shake();
}

ASSAY_DETAIL_HEADER_INLINE bool TlsSession::read(std::string& plain) {
  std::array<char, 16384> piece;  // a record's most
  for (;;) {
    library_.ERR_clear_error();
    const int count = library_.SSL_read(session_, piece.data(), static_cast<int>(piece.size()));
    if (count <= 0) return !failed(count);
    plain.append(piece.data(), static_cast<std::size_t>(count));
  }
}

ASSAY_DETAIL_HEADER_INLINE bool TlsSession::write(std::string_view plain) {
  library_.ERR_clear_error();
  if (plain.empty()) return true;
  const int count = library_.SSL_write(session_, plain.data(), static_cast<int>(plain.size()));
  return count > 0 || !failed(count);
}

ASSAY_DETAIL_HEADER_INLINE std::string TlsSession::outgoing() {
  std::string wire;
  std::array<char, 16384> piece;
  for (int count = 0; (count = library_.BIO_read(out_, piece.data(), static_cast<int>(piece.size()))) > 0;)
    wire.append(piece.data(), static_cast<std::size_t>(count));
  return wire;
}

}  // namespace assay::inline v0::detail
#endif
