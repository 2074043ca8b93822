#ifndef PANDA_CTESTRESOLVER_H
#define PANDA_CTESTRESOLVER_H

/// How many lookups of names below `.blocked.test` wait at the moment.
int panda_test_blocked_lookups(void);

/// Lets all lookups of names below `.blocked.test` fail, from now on for good.
void panda_test_release_lookups(void);

/// Lets the next lookups of names below `.failing.test` fail; later ones give 127.0.0.1.
void panda_test_fail_lookups(int count);

#endif
