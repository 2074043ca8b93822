#ifndef PLAIN_POSTGRES_H
#define PLAIN_POSTGRES_H

#include <stddef.h>
#include <stdint.h>

// libpq without a library around it: what a C program would do that keeps rows of bytes under keys
// in one table, with prepared statements and in binary. Anything unexpected ends the program.

struct plain_row {
  const char *key;
  const void *data;
  size_t count;
};

/// Connects, creates the table if there is none, and prepares the statements.
void *plain_postgres_open(const char *address);
void plain_postgres_close(void *plain);

/// Writes one row in a transaction of its own.
void plain_postgres_write(void *plain, const struct plain_row *row);
/// Writes rows in one transaction, pipelined, and stores the position of each.
void plain_postgres_write_many(
    void *plain, const struct plain_row *rows, size_t count, int64_t *positions);
/// Reads all rows in the order of their positions; returns how many.
size_t plain_postgres_read_all(
    void *plain, void (*take)(void *context, const char *key, const void *data, size_t count),
    void *context);
/// Runs SQL.
void plain_postgres_run(void *plain, const char *sql);

#endif
