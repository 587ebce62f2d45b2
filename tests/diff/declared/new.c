// A variable of the same bytes that are read in another way is another variable.
// diff: whole differs
// diff: negative differs
// diff: row differs
// diff: same nothing
// diff: none equal
typedef int number;
float whole = 0;
unsigned negative = -1;
number same = 3;
unsigned row[2] = {1, 2};
int none(void) { return 0; }
