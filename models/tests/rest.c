#include "native.h"
void test_misc(void){}
