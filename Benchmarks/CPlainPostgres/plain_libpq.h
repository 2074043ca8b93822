#ifndef PLAIN_LIBPQ_H
#define PLAIN_LIBPQ_H

#include "../../Sources/CLibraries/CPantryPostgreSQL/shim.h"

// What a plain program calls of libpq, beside what Pantry does; declared as its header does.

#define PLAIN_PQ_OWN_FUNCTIONS(F) \
  F(pantry_pq_connection *, connectdb, (const char *address)) \
  F(pantry_pq_result *, exec, (pantry_pq_connection *connection, const char *query)) \
  F(pantry_pq_result *, prepare, \
    (pantry_pq_connection *connection, const char *name, const char *query, int count, \
     const unsigned int *types)) \
  F(pantry_pq_result *, execPrepared, \
    (pantry_pq_connection *connection, const char *name, int count, const char *const *values, \
     const int *lengths, const int *formats, int result_format)) \
  F(int, sendFlushRequest, (pantry_pq_connection *connection)) \
  F(int, exitPipelineMode, (pantry_pq_connection *connection))

#define PLAIN_PQ_FUNCTIONS(F) PANTRY_PQ_FUNCTIONS(F) PLAIN_PQ_OWN_FUNCTIONS(F)

struct plain_pq {
#define PLAIN_PQ_MEMBER(result, name, parameters) result(*name) parameters;
  PLAIN_PQ_FUNCTIONS(PLAIN_PQ_MEMBER)
#undef PLAIN_PQ_MEMBER
};

// ConnStatusType
static const int plain_pq_connection_ok = 0;

#endif
