#ifndef PANDA_CSQLITE_SHIM_H
#define PANDA_CSQLITE_SHIM_H

#include <sqlite3.h>

/// sqlite3_db_config is variadic: Swift cannot call it. This is its form for an on/off setting.
static inline int pantry_sqlite3_db_config(sqlite3 *database, int setting, int value) {
  return sqlite3_db_config(database, setting, value, (int *)0);
}

/// An expression in a macro is not imported either.
static const int pantry_sqlite3_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;

/// SQLITE_TRANSIENT is a cast in a macro, which Swift does not import: bytes are copied at the call.
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

/// SQLITE_STATIC is such a cast too: the bytes stay where they are, and the caller keeps them there.
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

#endif
