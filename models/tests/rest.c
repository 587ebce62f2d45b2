#include "native.h"
void test_scanf(void){} void test_streams(void){} void test_misc(void){}
