#define _GNU_SOURCE
#include "CTerminalGuard.h"
#include "Internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char log_path[PATH_MAX];  // empty for no log
static _Atomic int has_logged = 0;

static char *put_text(char *at, const char *text) {
  while (*text) *at++ = *text++;
  return at;
}

static char *put_number(char *at, long number, int digits) {
  for (int i = digits - 1; i >= 0; i--, number /= 10) at[i] = (char)('0' + number % 10);
  return at + digits;
}

static int days_of_month(int year, int month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/// Writes the time as 2026-11-22T20:03:04.123Z. gmtime_r may take a lock that the interrupted
/// thread holds (signal-safety(7)).
static char *put_time(char *at, const struct timespec *now) {
  long days = now->tv_sec / 86400, second = now->tv_sec % 86400;
  int year = 1970, month = 1;
  for (int length; days >= (length = days_of_month(year, month)); days -= length) {
    month = month % 12 + 1;
    if (month == 1) year++;
  }
  const struct { long number; int digits; char end; } parts[] = {
      {year, 4, '-'}, {month, 2, '-'}, {days + 1, 2, 'T'}, {second / 3600, 2, ':'},
      {second / 60 % 60, 2, ':'}, {second % 60, 2, '.'}, {now->tv_nsec / 1000000, 3, 'Z'},
  };
  for (size_t i = 0; i < COUNT(parts); i++) {
    at = put_number(at, parts[i].number, parts[i].digits);
    *at++ = parts[i].end;
  }
  return at;
}

void tg_log_signal(int number) {
  if (!log_path[0] || atomic_exchange(&has_logged, 1)) return;
  int fd = open(log_path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char line[160], *at = put_time(line, &now);
  at = put_text(at, " error terminal [");
  int digits = 1;
  for (pid_t rest = getpid(); rest >= 10; rest /= 10) digits++;
  at = put_number(at, getpid(), digits);
  at = put_text(at, "] Ended by SIG");
  const char *name = sigabbrev_np(number);
  at = put_text(at, name ? name : "NAL");
  *at++ = '\n';
  if (write(fd, line, (size_t)(at - line)) < 0) {
  }
  close(fd);
}

void tg_set_log(const char *path) {
  if (strlen(path) < sizeof log_path) strcpy(log_path, path);
}
