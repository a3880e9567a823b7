/* Ring buffer. int fake(void) {} */
#include <stdio.h>
#include "ring/ring.h"

#define RING_MAX 128
#define RING_NEXT(i) \
    (((i) + 1) % RING_MAX)

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char byte, *bytes;
typedef int (*ring_cb)(struct ring *, void *user);
typedef struct { int used; union { int i; float f; } as; } Slot;

enum ring_state { RING_IDLE, RING_BUSY = 4, };

struct ring {
    Slot slots[RING_MAX];
    struct ring *next;
    ring_cb on_full;
    unsigned flags : 3;
    char *names[2];
    struct { int x; } pos;
    struct { int x; } size;
};

static const char *const NAMES[] = { "int x() {}" };
extern int ring_count;
struct ring *ring_head, ring_tail;
RING_API int ring_len(const struct ring *r);
int *(ring_paren)(void);

/* Adds one.
 * TODO: lock */
static inline int
ring_push(struct ring *r, byte value, int (*done)(int))
{
    int i, *p = &i;
    for (i = 0; i < RING_MAX; i++) {
        if (r->slots[i].used) {
            while (1) { switch (value) { default: goto out; } }
        } else if (value) {
            r->on_full(r, NULL);
            ring_len(r);
        }
    }
out:
    return RING_NEXT(i);
}

char **ring_names(struct ring *r) { return r->names; }
void (*ring_handler(int sig))(int) { return 0; }
int old_style(a, b) int a; char b; { return a; }

#if defined(RING_FAST)
int ring_mode(void) { return 1; }
#else
int ring_mode(void) { return 2; }
#endif

MACRO_ALONE(x)
__attribute__((noinline)) void ring_free(struct ring *r) { r->next = NULL; }

int broken(int x { return x; }
int after_broken(void) { return ring_count; }
