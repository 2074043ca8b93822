#ifndef PANTRY_CPOSTGRESQL_SHIM_H
#define PANTRY_CPOSTGRESQL_SHIM_H

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "../CLoadedLibrary/note.h"

// What Pantry calls of libpq (https://www.postgresql.org/docs/current/libpq.html), declared as its
// header does: nobody needs that to build PantryPostgres. All of it has been in its stable
// interface since 14, and so have the values of its enumerations.

typedef struct pantry_pq_connection pantry_pq_connection;
typedef struct pantry_pq_result pantry_pq_result;

/// A parameter of a connection (PQconninfoOption); the last of an array has no keyword.
typedef struct {
  char *keyword;
  char *variable;
  char *compiled;
  char *value;
  char *label;
  char *display;
  int display_size;
} pantry_pq_option;

/// The beginning of a notification (PGnotify).
typedef struct {
  char *channel;
  int process;
} pantry_pq_notification;

/// Takes a notice of the server (PQnoticeProcessor).
typedef void (*pantry_pq_notice_processor)(void *context, const char *message);

/// The functions, without `PQ`; the list is used twice, so it is a macro.
#define PANTRY_PQ_FUNCTIONS(F) \
  F(pantry_pq_option *, conninfoParse, (const char *address, char **message)) \
  F(pantry_pq_option *, conndefaults, (void)) \
  F(pantry_pq_option *, conninfo, (pantry_pq_connection *connection)) \
  F(void, conninfoFree, (pantry_pq_option *options)) \
  F(void, freemem, (void *memory)) \
  F(pantry_pq_connection *, connectStartParams, \
    (const char *const *names, const char *const *values, int expands_database)) \
  F(int, connectPoll, (pantry_pq_connection *connection)) \
  F(void, finish, (pantry_pq_connection *connection)) \
  F(int, setnonblocking, (pantry_pq_connection *connection, int is_nonblocking)) \
  F(int, status, (const pantry_pq_connection *connection)) \
  F(int, socket, (const pantry_pq_connection *connection)) \
  F(char *, errorMessage, (const pantry_pq_connection *connection)) \
  F(pantry_pq_notice_processor, setNoticeProcessor, \
    (pantry_pq_connection *connection, pantry_pq_notice_processor processor, void *context)) \
  F(int, serverVersion, (const pantry_pq_connection *connection)) \
  F(int, backendPID, (const pantry_pq_connection *connection)) \
  F(int, sslInUse, (pantry_pq_connection *connection)) \
  F(int, enterPipelineMode, (pantry_pq_connection *connection)) \
  F(int, pipelineSync, (pantry_pq_connection *connection)) \
  F(int, sendPrepare, \
    (pantry_pq_connection *connection, const char *name, const char *query, int count, \
     const unsigned int *types)) \
  F(int, sendQueryPrepared, \
    (pantry_pq_connection *connection, const char *name, int count, const char *const *values, \
     const int *lengths, const int *formats, int result_format)) \
  F(int, sendQueryParams, \
    (pantry_pq_connection *connection, const char *query, int count, const unsigned int *types, \
     const char *const *values, const int *lengths, const int *formats, int result_format)) \
  F(int, flush, (pantry_pq_connection *connection)) \
  F(int, consumeInput, (pantry_pq_connection *connection)) \
  F(int, isBusy, (pantry_pq_connection *connection)) \
  F(pantry_pq_result *, getResult, (pantry_pq_connection *connection)) \
  F(pantry_pq_notification *, notifies, (pantry_pq_connection *connection)) \
  F(int, resultStatus, (const pantry_pq_result *result)) \
  F(char *, resultErrorField, (const pantry_pq_result *result, int field)) \
  F(int, ntuples, (const pantry_pq_result *result)) \
  F(char *, getvalue, (const pantry_pq_result *result, int row, int column)) \
  F(int, getlength, (const pantry_pq_result *result, int row, int column)) \
  F(int, getisnull, (const pantry_pq_result *result, int row, int column)) \
  F(void, clear, (pantry_pq_result *result))

struct pantry_pq {
#define PANTRY_PQ_MEMBER(result, name, parameters) result(*name) parameters;
  PANTRY_PQ_FUNCTIONS(PANTRY_PQ_MEMBER)
#undef PANTRY_PQ_MEMBER
};

/// The file name, which the dynamic loader looks up in its usual directories.
#define PANTRY_PQ_LIBRARY "libpq.so.5"

/// The names of these functions, for LoadedLibrary. Nobody who stays with SQLite loads libpq and
/// the libraries that it needs.
static inline const char *const *pantry_pq_symbols(void) {
  PANTRY_DLOPEN_NOTE(PANTRY_PQ_LIBRARY, "recommended", "server", "keeps items on PostgreSQL")
#define PANTRY_PQ_SYMBOL(result, name, parameters) "PQ" #name,
  static const char *const symbols[] = {PANTRY_PQ_FUNCTIONS(PANTRY_PQ_SYMBOL) NULL};
#undef PANTRY_PQ_SYMBOL
  return symbols;
}

// ConnStatusType
static const int pantry_pq_connection_bad = 1;
// PostgresPollingStatusType
static const int pantry_pq_polling_reading = 1;
static const int pantry_pq_polling_writing = 2;
static const int pantry_pq_polling_ok = 3;
// ExecStatusType
static const int pantry_pq_command_ok = 1;
static const int pantry_pq_tuples_ok = 2;
static const int pantry_pq_pipeline_sync = 10;
static const int pantry_pq_pipeline_aborted = 11;
/// The fields of an error, PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY.
static const int pantry_pq_sql_state = 'C';
static const int pantry_pq_primary_message = 'M';

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

#endif
