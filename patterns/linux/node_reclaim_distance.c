/* The macro RECLAIM_DISTANCE (30) becomes the variable node_reclaim_distance. */
#include "verify-pattern.h"

extern int node_reclaim_distance;

VERIFY_OLD(node_reclaim_distance, void) {
    int distance = 30;
    VERIFY_OUTPUT(distance);
}

VERIFY_NEW(node_reclaim_distance, void) {
    int distance = node_reclaim_distance;
    VERIFY_OUTPUT(distance);
}
