// An index from outside that is looked at.
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int days_of(int month) { return month >= 0 && month < 12 ? days[month] : 0; }
int days_mod(unsigned month) { return days[month % 12]; }
