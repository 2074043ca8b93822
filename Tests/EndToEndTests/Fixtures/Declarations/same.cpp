#include "same.hpp"

// The comparison itself, for which no library is needed.
enum color { red };
struct panda;
struct cat;

static_assert(same<int, int> && !same<int, long> && !same<int, unsigned>);
static_assert(same<int, color> && !same<long, color> && !same<float, color>);
static_assert(same<panda *, panda *> && !same<panda *, cat *>);
static_assert(same<const panda *, const panda *>);
static_assert(!same<panda *, const panda *> && !same<const panda *, panda *>);
static_assert(same<void *, panda *> && !same<void *, const panda *> && !same<void *, int>);
static_assert(same<int *, color *> && !same<long *, color *> && !same<panda *, panda **>);
static_assert(same<int (*)(panda *, int), color (*)(panda *, color)>);
static_assert(!same<int (*)(int), void (*)(int)> && !same<int (*)(int), int (*)(long)>);
static_assert(!same<int (*)(int), int (*)(int, int)> && !same<int (*)(), int (*)(int)>);
static_assert(same<void (*)(int (*)(int)), void (*)(int (*)(color))>);
static_assert(!same<void (*)(int (*)(int)), void (*)(int (*)(cat *))>);
