/* What the programs of this folder share: CHECK counts what is wrong, DONE is the exit status. */
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>
static int failures;
#define CHECK(c) ((c) ? (void)0 : (void)(failures++, printf("line %d: %s\n", __LINE__, #c)))
#define DONE (failures != 0)
#endif
