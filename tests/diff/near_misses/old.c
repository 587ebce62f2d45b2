#define OLD 1
#define SEL(...) SEL_(__VA_ARGS__)
#define SEL_(a, ...) a
#include "body.h"
