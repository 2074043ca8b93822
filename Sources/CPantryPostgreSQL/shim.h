#ifndef PANTRY_CPOSTGRESQL_SHIM_H
#define PANTRY_CPOSTGRESQL_SHIM_H

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

// Debian has the header in a folder of its own.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

/// The functions of libpq that Pantry calls, without `PQ`. A macro, since the list is used twice.
#define PANTRY_PQ_FUNCTIONS(F) \
  F(libVersion) F(conninfoParse) F(conndefaults) F(conninfo) F(conninfoFree) F(freemem) \
  F(connectStartParams) F(connectPoll) F(finish) F(setnonblocking) F(status) F(socket) \
  F(errorMessage) F(setNoticeProcessor) F(serverVersion) F(backendPID) \
  F(host) F(port) F(db) F(connectionUsedPassword) F(sslInUse) \
  F(enterPipelineMode) F(pipelineSync) F(sendPrepare) F(sendQueryPrepared) F(sendQueryParams) \
  F(flush) F(consumeInput) F(isBusy) F(getResult) F(notifies) \
  F(resultStatus) F(resultErrorField) F(ntuples) F(getvalue) F(getlength) F(getisnull) F(clear)

/// Pointers to these functions, with the types that libpq's header declares.
struct pantry_pq {
#define PANTRY_PQ_MEMBER(name) __typeof__(PQ##name) *name;
  PANTRY_PQ_FUNCTIONS(PANTRY_PQ_MEMBER)
#undef PANTRY_PQ_MEMBER
};

/// The names of these functions, for LoadedLibrary. Nobody who stays with SQLite loads libpq and
/// the libraries that it needs.
static inline const char *const *pantry_pq_symbols(void) {
#define PANTRY_PQ_SYMBOL(name) "PQ" #name,
  static const char *const symbols[] = {PANTRY_PQ_FUNCTIONS(PANTRY_PQ_SYMBOL) NULL};
#undef PANTRY_PQ_SYMBOL
  return symbols;
}

/// The bytes that a TCP socket has received so far; 0 for another socket.
///
/// `tcpi_bytes_received` of `struct tcp_info` in <linux/tcp.h>, since Linux 4.1, behind 8 members
/// of one byte, 24 of four and 3 of eight; the C library's own header ends before it.
static inline uint64_t pantry_tcp_bytes_received(int socket) {
  unsigned char info[136];
  socklen_t length = sizeof info;
  uint64_t count = 0;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &length) == 0 && length == sizeof info) {
    memcpy(&count, info + 128, sizeof count);
  }
  return count;
}

/// The fields of an error, which are characters in C.
static const int pantry_pq_sql_state = PG_DIAG_SQLSTATE;
static const int pantry_pq_primary_message = PG_DIAG_MESSAGE_PRIMARY;

#endif
