#include <libpq-fe.h>

#include "../../../../Benchmarks/CPlainPostgres/plain_libpq.h"
#include "../../../../Sources/CLibraries/CPantryPostgreSQL/shim.h"
#include "same.hpp"

SAME_MEMBER(pantry_pq_option, keyword, PQconninfoOption, keyword)
SAME_MEMBER(pantry_pq_option, variable, PQconninfoOption, envvar)
SAME_MEMBER(pantry_pq_option, compiled, PQconninfoOption, compiled)
SAME_MEMBER(pantry_pq_option, value, PQconninfoOption, val)
SAME_MEMBER(pantry_pq_option, label, PQconninfoOption, label)
SAME_MEMBER(pantry_pq_option, display, PQconninfoOption, dispchar)
SAME_MEMBER(pantry_pq_option, display_size, PQconninfoOption, dispsize)
static_assert(sizeof(pantry_pq_option) == sizeof(PQconninfoOption));
SAME_MEMBER(pantry_pq_notification, channel, PGnotify, relname)
SAME_MEMBER(pantry_pq_notification, process, PGnotify, be_pid)

static_assert(pantry_pq_connection_bad == CONNECTION_BAD);
static_assert(plain_pq_connection_ok == CONNECTION_OK);
static_assert(pantry_pq_polling_reading == PGRES_POLLING_READING);
static_assert(pantry_pq_polling_writing == PGRES_POLLING_WRITING);
static_assert(pantry_pq_polling_ok == PGRES_POLLING_OK);
static_assert(pantry_pq_command_ok == PGRES_COMMAND_OK);
static_assert(pantry_pq_tuples_ok == PGRES_TUPLES_OK);
static_assert(pantry_pq_pipeline_sync == PGRES_PIPELINE_SYNC);
static_assert(pantry_pq_pipeline_aborted == PGRES_PIPELINE_ABORTED);
static_assert(pantry_pq_sql_state == PG_DIAG_SQLSTATE);
static_assert(pantry_pq_primary_message == PG_DIAG_MESSAGE_PRIMARY);

#define pantry_pq_connection PGconn
#define pantry_pq_result PGresult
#define pantry_pq_option PQconninfoOption
#define pantry_pq_notification PGnotify
#define SAME_PQ_FUNCTION(result, name, parameters) SAME_FUNCTION(result, PQ##name, parameters)
PLAIN_PQ_FUNCTIONS(SAME_PQ_FUNCTION)
