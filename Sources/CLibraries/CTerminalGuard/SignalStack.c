#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#define SIGNAL_STACK_SIZE (64 * 1024)
static _Thread_local int prepared = 0;
static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void free_signal_stack(void *stack) {
  stack_t off = {.ss_flags = SS_DISABLE};
  sigaltstack(&off, NULL);
  munmap(stack, SIGNAL_STACK_SIZE);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, free_signal_stack); }

void tg_prepare_thread(void) {
  if (prepared) return;
  prepared = 1;
  pthread_once(&stack_once, make_stack_key);
  void *memory = mmap(NULL, SIGNAL_STACK_SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;  // Only stack overflow handling is lost.
  stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK_SIZE};
  if (sigaltstack(&stack, NULL) < 0 || pthread_setspecific(stack_key, memory) != 0) {
    free_signal_stack(memory);
  }
}
