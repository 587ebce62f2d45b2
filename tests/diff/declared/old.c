typedef int number;
int whole = 0;
int negative = -1;
int same = 3;
int row[2] = {1, 2};
int none(void) { return 0; }
