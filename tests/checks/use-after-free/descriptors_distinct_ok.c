// A descriptor that is open is not given out again: two connections that are open have two numbers, and what is found by
// the number of one belongs to it. FIXME: only runs know that so far; formulas allow any number.
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct connection {
    int fd;
    struct connection *next;
};
static struct connection *all;

static void opened(int fd)
{
    struct connection *c = malloc(sizeof *c);
    if (c == NULL) {
        close(fd);
        return;
    }
    c->fd = fd;
    c->next = all;
    all = c;
}

// Frees the connection, and takes the one with its number off the list.
static void closed(struct connection *c)
{
    for (struct connection **p = &all; *p != NULL; p = &(*p)->next)
        if ((*p)->fd == c->fd) {
            *p = (*p)->next;
            break;
        }
    close(c->fd);
    free(c);
}

int main(void)
{
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0 || listen(s, 5) != 0)
        return 0;
    for (int i = 0; i < 4; i++) {
        int fd = accept(s, NULL, NULL);
        if (fd >= 0)
            opened(fd);
    }
    while (all != NULL) {
        struct connection *last = all;
        while (last->next != NULL) //~ unknown[use-after-free]
            last = last->next;
        closed(last);
    }
    close(s);
    return 0;
}
