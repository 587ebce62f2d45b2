// An index from outside.
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int days_of(int month) {
    return days[month]; //~ latent[array-index]
}
