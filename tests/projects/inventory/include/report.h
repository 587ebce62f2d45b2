/* What is printed about the stock. */
#ifndef REPORT_H
#define REPORT_H

#include "parse.h"

void report_stock(const struct shop *s);
void report_history(const struct history *h);
int report_mean_price(const struct shop *s);
int report_discount(int value, int percent);

#endif
