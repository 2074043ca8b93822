#ifndef PANDA_CSQLITE_SHIM_H
#define PANDA_CSQLITE_SHIM_H

#include <sqlite3.h>

/// sqlite3_db_config is variadic: Swift cannot call it. This is its form for an on/off setting.
static inline int pantry_sqlite3_db_config(sqlite3 *database, int setting, int value) {
  return sqlite3_db_config(database, setting, value, (int *)0);
}

// Swift infers a macro's type from its text: each gets the type of its parameter.

/// Result codes.
static const int pantry_sqlite3_ok = SQLITE_OK;
static const int pantry_sqlite3_row = SQLITE_ROW;
static const int pantry_sqlite3_done = SQLITE_DONE;
static const int pantry_sqlite3_busy = SQLITE_BUSY;
static const int pantry_sqlite3_cannot_open = SQLITE_CANTOPEN;
static const int pantry_sqlite3_corrupt = SQLITE_CORRUPT;
static const int pantry_sqlite3_full = SQLITE_FULL;
static const int pantry_sqlite3_input_output = SQLITE_IOERR;
static const int pantry_sqlite3_not_a_database = SQLITE_NOTADB;
static const int pantry_sqlite3_read_only = SQLITE_READONLY;
static const int pantry_sqlite3_read_only_directory = SQLITE_READONLY_DIRECTORY;
static const int pantry_sqlite3_read_only_rollback = SQLITE_READONLY_ROLLBACK;
static const int pantry_sqlite3_input_output_shm_size = SQLITE_IOERR_SHMSIZE;
static const int pantry_sqlite3_input_output_shm_map = SQLITE_IOERR_SHMMAP;
static const int pantry_sqlite3_input_output_lock = SQLITE_IOERR_LOCK;
static const int pantry_sqlite3_input_output_read_lock = SQLITE_IOERR_RDLOCK;
static const int pantry_sqlite3_input_output_short_read = SQLITE_IOERR_SHORT_READ;
static const int pantry_sqlite3_input_output_corrupt = SQLITE_IOERR_CORRUPTFS;
static const int pantry_sqlite3_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;

/// The type of a column.
static const int pantry_sqlite3_null = SQLITE_NULL;

/// Flags of sqlite3_open_v2.
static const int pantry_sqlite3_open_read_write = SQLITE_OPEN_READWRITE;
static const int pantry_sqlite3_open_create = SQLITE_OPEN_CREATE;
static const int pantry_sqlite3_open_read_only = SQLITE_OPEN_READONLY;
static const int pantry_sqlite3_open_uri = SQLITE_OPEN_URI;
static const int pantry_sqlite3_open_no_mutex = SQLITE_OPEN_NOMUTEX;

/// A flag of sqlite3_prepare_v3.
static const unsigned int pantry_sqlite3_prepare_persistent = SQLITE_PREPARE_PERSISTENT;

/// Settings of sqlite3_db_config.
static const int pantry_sqlite3_dbconfig_defensive = SQLITE_DBCONFIG_DEFENSIVE;
static const int pantry_sqlite3_dbconfig_no_checkpoint_on_close = SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
static const int pantry_sqlite3_dbconfig_enable_trigger = SQLITE_DBCONFIG_ENABLE_TRIGGER;

/// Modes of sqlite3_wal_checkpoint_v2.
static const int pantry_sqlite3_checkpoint_passive = SQLITE_CHECKPOINT_PASSIVE;
static const int pantry_sqlite3_checkpoint_truncate = SQLITE_CHECKPOINT_TRUNCATE;

/// SQLITE_TRANSIENT is a cast in a macro, which Swift does not import: the call copies the bytes.
static inline int pantry_sqlite3_bind_text(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// The same for a blob. A null pointer would bind NULL, so an empty blob gets a length of zero.
static inline int pantry_sqlite3_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// SQLITE_STATIC is such a cast too: the bytes are not copied, and the caller keeps them valid.
static inline int pantry_sqlite3_bind_text_in_place(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, index, bytes ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

/// The same for a blob.
static inline int pantry_sqlite3_bind_blob_in_place(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

/// Reads bytes of the database file and its length, bypassing the write-ahead log.
///
/// It uses SQLite's own descriptor: closing another one of the same file would release all locks
/// that this process holds on it (sqlite.org/howtocorrupt.html, 2.2). Missing bytes are zero.
static inline int pantry_sqlite3_read(
    sqlite3 *database, void *bytes, int count, sqlite3_int64 offset, sqlite3_int64 *file_size) {
  sqlite3_file *file = 0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK) return result;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  result = file->pMethods->xFileSize(file, file_size);
  if (result != SQLITE_OK) return result;
  result = file->pMethods->xRead(file, bytes, count, offset);
  return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
}

/// Returns the error number of the system call that has failed last on a connection's files, or 0.
///
/// SQLite records it for its connection, except in a commit: then the log has it.
static inline int pantry_sqlite3_system_errno(sqlite3 *database) {
  sqlite3_file *log = 0;
  int error = sqlite3_system_errno(database);
  if (error != 0) return error;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log && log->pMethods) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}

/// Returns whether a database file has all frames of its connection's write-ahead log.
///
/// A checkpoint would tell, but write where it finds that something is missing. So this compares
/// the numbers of frames written (mxFrame) and copied (nBackfill) in the log's index, whose format
/// is documented (sqlite.org/walformat.html, 2.1.1 and 2.1.2).
static inline int pantry_sqlite3_log_is_copied(sqlite3 *database) {
  sqlite3_file *file = 0;
  void volatile *index = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK)
    return 0;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2) return 0;
  if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK || !index) return 0;
  unsigned const volatile *words = index;
  return words[16 / 4] == words[96 / 4];
}

#endif
