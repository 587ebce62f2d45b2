/* strptime in the C locale, as glibc has it: what is not named by the format stays as it was, but for the day of the week
 * and of the year, which are worked out from a full date. */
#include "internal.h"
#include <time.h>

static const char *const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
                                     "October", "November", "December"};

/* What was seen so far, and has to be put together at the end. */
struct parts {
    int hour12, pm;
    int century, with_century; /* -1: not seen; the year is only one of a century */
    int week_day, month, month_day, year_day, year;
};

static const char *skip_space(const char *s)
{
    while (vm_isspace((unsigned char)*s))
        s++;
    return s;
}

/* A number in [low, high] of so many digits at most, behind spaces; NULL: none. */
static const char *number(const char *s, int low, int high, int digits, int *out)
{
    int v = 0;
    while (*s == ' ')
        s++;
    if (!vm_isdigit((unsigned char)*s))
        return NULL;
    do {
        v = v * 10 + (*s++ - '0');
    } while (--digits > 0 && v * 10 <= high && vm_isdigit((unsigned char)*s));
    if (v < low || v > high)
        return NULL;
    *out = v;
    return s;
}

static size_t begins(const char *s, const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (vm_tolower((unsigned char)s[i]) != vm_tolower((unsigned char)word[i]))
            return 0;
    }
    return n;
}

/* A name of the table, in full or its first three letters. */
static const char *name(const char *s, const char *const *table, int count, int *out)
{
    for (int i = 0; i < count; i++) {
        size_t n = begins(s, table[i], vm_strlen(table[i]));
        if (n == 0)
            n = begins(s, table[i], 3);
        if (n > 0) {
            *out = i;
            return s + n;
        }
    }
    return NULL;
}

static int is_leap(long y)
{
    return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
}

static int days_before(int month, int leap)
{
    static const short days[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    return days[month] + (leap && month > 1);
}

/* What is not modelled may set every number. */
static __attribute__((noreturn)) void beyond(const char *reason, struct tm *tm)
{
    __verify_unmodelled_use(reason, NULL);
    __verify_nondet_bytes(tm, offsetof(struct tm, tm_zone), "strptime");
    __verify_unmodelled(reason);
}

static const char *parse(const char *s, const char *format, struct tm *tm, struct parts *seen)
{
    for (; *format != 0; format++) {
        int v;
        if (vm_isspace((unsigned char)*format)) {
            s = skip_space(s);
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%')
                format++;
            if (*format != *s++)
                return NULL;
            continue;
        }
        format++;
        if (*format == '-' || *format == '_' || *format == '0' || *format == '^' || *format == '#')
            beyond("a flag in a strptime format", tm);
        if (*format == 'E' || *format == 'O')
            beyond("%E or %O in a strptime format", tm);
        switch (*format) {
        case 'n': case 't': s = skip_space(s); break;
        case 'a': case 'A':
            if ((s = name(s, weekdays, 7, &tm->tm_wday)) == NULL)
                return NULL;
            seen->week_day = 1;
            break;
        case 'b': case 'B': case 'h':
            if ((s = name(s, months, 12, &tm->tm_mon)) == NULL)
                return NULL;
            seen->month = 1;
            break;
        case 'd': case 'e':
            if ((s = number(s, 1, 31, 2, &tm->tm_mday)) == NULL)
                return NULL;
            seen->month_day = 1;
            break;
        case 'm':
            if ((s = number(s, 1, 12, 2, &v)) == NULL)
                return NULL;
            tm->tm_mon = v - 1;
            seen->month = 1;
            break;
        case 'Y':
            if ((s = number(s, 0, 9999, 4, &v)) == NULL)
                return NULL;
            tm->tm_year = v - 1900;
            seen->year = 1;
            seen->with_century = 0;
            break;
        case 'y':
            if ((s = number(s, 0, 99, 2, &v)) == NULL)
                return NULL;
            tm->tm_year = v >= 69 ? v : v + 100;
            seen->with_century = seen->year = 1;
            break;
        case 'C':
            if ((s = number(s, 0, 99, 2, &seen->century)) == NULL)
                return NULL;
            break;
        case 'H': case 'k':
            if ((s = number(s, 0, 23, 2, &tm->tm_hour)) == NULL)
                return NULL;
            seen->hour12 = 0;
            break;
        case 'I': case 'l':
            if ((s = number(s, 1, 12, 2, &v)) == NULL)
                return NULL;
            tm->tm_hour = v % 12;
            seen->hour12 = 1;
            break;
        case 'M':
            if ((s = number(s, 0, 59, 2, &tm->tm_min)) == NULL)
                return NULL;
            break;
        case 'S':
            if ((s = number(s, 0, 61, 2, &tm->tm_sec)) == NULL)
                return NULL;
            break;
        case 'j':
            if ((s = number(s, 1, 366, 3, &v)) == NULL)
                return NULL;
            tm->tm_yday = v - 1;
            seen->year_day = 1;
            break;
        case 'p': case 'P':
            if (begins(s, "AM", 2))
                seen->pm = 0;
            else if (begins(s, "PM", 2))
                seen->pm = 1;
            else
                return NULL;
            s += 2;
            break;
        case 'u':
            if ((s = number(s, 1, 7, 1, &v)) == NULL)
                return NULL;
            tm->tm_wday = v % 7;
            seen->week_day = 1;
            break;
        case 'w':
            if ((s = number(s, 0, 6, 1, &tm->tm_wday)) == NULL)
                return NULL;
            seen->week_day = 1;
            break;
        case 'D': case 'x': s = parse(s, "%m/%d/%y", tm, seen); break;
        case 'F': s = parse(s, "%Y-%m-%d", tm, seen); break;
        case 'T': case 'X': s = parse(s, "%H:%M:%S", tm, seen); break;
        case 'R': s = parse(s, "%H:%M", tm, seen); break;
        case 'r': s = parse(s, "%I:%M:%S %p", tm, seen); break;
        case 'c': s = parse(s, "%a %b %e %H:%M:%S %Y", tm, seen); break;
        case 's': case 'z': case 'Z': case 'U': case 'W': case 'V': case 'G': case 'g':
            beyond("%s, %z, %Z or a week in a strptime format", tm);
        default:
            return NULL;
        }
        if (s == NULL)
            return NULL;
    }
    return s;
}

char *strptime(const char *s, const char *format, struct tm *tm)
{
    struct parts seen = {0};
    seen.century = -1;
    (void)vm_strlen(s);
    const char *end = parse(s, format, tm, &seen);
    if (end == NULL)
        return NULL;
    if (seen.hour12 && seen.pm)
        tm->tm_hour += 12;
    if (seen.century >= 0) {
        tm->tm_year = (seen.with_century ? tm->tm_year % 100 : 0) + (seen.century - 19) * 100;
        seen.year = 1;
    }
    if (!seen.year && !seen.month && !seen.month_day)
        return (char *)end;
    int dated = seen.month && seen.month_day;
    if (!seen.week_day && !dated && seen.year_day) {
        int month = 0, leap = seen.year && is_leap(1900L + tm->tm_year);
        if (!seen.year || tm->tm_yday >= 365 + leap)
            beyond("strptime of a day of no year, or that the year does not have", tm);
        while (days_before(month, leap) <= tm->tm_yday)
            month++;
        if (!seen.month)
            tm->tm_mon = month - 1;
        if (!seen.month_day)
            tm->tm_mday = tm->tm_yday - days_before(month - 1, leap) + 1;
        dated = 1;
    }
    if (seen.year && dated) {
        long year = 1900L + tm->tm_year, y = year - 1;
        int before = days_before(tm->tm_mon, is_leap(year)) + tm->tm_mday - 1;
        long days = y * 365 + y / 4 - y / 100 + y / 400 + before;
        if (!seen.week_day)
            tm->tm_wday = year < 1 ? (int)(__verify_nondet_u64("strptime") % 7) : (int)((days + 1) % 7);
        if (!seen.year_day)
            tm->tm_yday = before;
        return (char *)end;
    }
    /* Of a part of a date the C library makes what it finds in the rest of `tm`, which need not have been set. */
    if (!seen.week_day)
        tm->tm_wday = (int)(__verify_nondet_u64("strptime") % 7);
    if (!seen.year_day)
        tm->tm_yday = (int)(__verify_nondet_u64("strptime") % 366);
    return (char *)end;
}
