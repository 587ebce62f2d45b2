/* <time.h>. The clock is a primitive; local time is UTC (an assumption about the machine: TZ and /etc/localtime are not
 * read). Sleeping returns at once, but the clocks that nobody sets know of it. */
#include "internal.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS 1000000000L

char *tzname[2] = {"UTC", "UTC"};
long timezone;
int daylight;

void tzset(void)
{
}

int __verify_lib_outside_numbers;
extern int __verify_lib_process; /* unistd.c */
int __verify_lib_ignores(int number); /* signal.c */

/* Nobody sets a Linux clock to the last 30 years that 64 bits of nanoseconds count, and the clock that nobody sets begins when
 * the machine does: neither ever gets to the last ten years (an assumption: the machine is not up for twenty of them). How
 * much of the processors was used is counted for all of them together and has no such bound. */
#define LATEST ((9223372036L - 10 * 365 * 86400L) * NANOSECONDS)

static long clock_now(int clock)
{
    long t = __verify_sys_time(clock);
    return t < 0 ? 0 : clock != 2 && t > LATEST ? LATEST : t;
}

time_t time(time_t *out)
{
    __verify_lib_outside_numbers = 1;
    /* C: "-1 if the calendar time is not available". */
    time_t t = __verify_choose_failure("time") ? (time_t)-1 : clock_now(0) / NANOSECONDS;
    if (out != NULL)
        *out = t;
    return t;
}

/* Clocks that nobody sets do not go back. */
static long not_back(long t, long *last)
{
    if (t < *last)
        t = *last;
    *last = t;
    return t;
}

/* What each clock has shown; a coarse one may be behind another. What is counted for a process: of its children, of itself,
 * of its thread; and by times. */
static long last[CLOCK_TAI + 1];
static struct counts {
    long user, system, memory, small_faults, large_faults, in, out, waits, switches;
} counts[3];
static struct {
    long user, system, user_of_children, system_of_children;
} ticks;

/* A child's own begin anew. */
static void begin_anew(void)
{
    static int process = 1;
    if (process == __verify_lib_process)
        return;
    process = __verify_lib_process;
    last[CLOCK_PROCESS_CPUTIME_ID] = last[CLOCK_THREAD_CPUTIME_ID] = 0;
    __builtin_memset(counts, 0, sizeof counts);
    __builtin_memset(&ticks, 0, sizeof ticks);
}

/* The time that somebody has slept has passed on the clocks that nobody sets. The raw one is not slowed down or sped up with
 * the others, by a tenth at most; the coarse one is behind by a time that is not known. Nobody sleeps until clocks end. */
static void passes(int clock, unsigned long t)
{
    unsigned long now = (unsigned long)last[clock] + t;
    __verify_assume(now >= t && now <= LATEST);
    last[clock] = (long)now;
}

void __verify_lib_slept(long long seconds, long nanoseconds)
{
    /* Clocks do not fit there. */
    if (LONG_MAX == INT_MAX)
        return;
    __verify_assume(seconds >= 0 && seconds < LATEST / NANOSECONDS && nanoseconds >= 0 && nanoseconds < NANOSECONDS);
    unsigned long t = (unsigned long)seconds * NANOSECONDS + (unsigned long)nanoseconds;
    passes(CLOCK_MONOTONIC, t);
    passes(CLOCK_BOOTTIME, t);
    passes(CLOCK_MONOTONIC_RAW, t - t / 4);
}

clock_t clock(void)
{
    if (__verify_choose_failure("clock"))
        return (clock_t)-1;
    begin_anew();
    return not_back(clock_now(2), &last[CLOCK_PROCESS_CPUTIME_ID]) / (NANOSECONDS / CLOCKS_PER_SEC);
}

static int clock_of(clockid_t id)
{
    switch (id) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_TAI: return 0;
    case CLOCK_PROCESS_CPUTIME_ID: case CLOCK_THREAD_CPUTIME_ID: return 2;
    case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW: case CLOCK_MONOTONIC_COARSE: case CLOCK_BOOTTIME: return 1;
    default: return -1;
    }
}

int clock_gettime(clockid_t id, struct timespec *out)
{
    __verify_lib_outside_numbers = 1;
    int clock = clock_of(id);
    if (clock < 0) {
        errno = EINVAL;
        return -1;
    }
    begin_anew();
    long t = clock_now(clock);
    if (clock != 0)
        t = not_back(t, &last[id]);
    out->tv_sec = t / NANOSECONDS;
    out->tv_nsec = t % NANOSECONDS;
    return 0;
}

int clock_getres(clockid_t id, struct timespec *out)
{
    if (clock_of(id) < 0) {
        errno = EINVAL;
        return -1;
    }
    /* The coarse clocks go by the ticks of the system. */
    if (out != NULL) {
        out->tv_sec = 0;
        out->tv_nsec = 1 + (long)(__verify_nondet_u64("clock_getres") % 10000000);
    }
    return 0;
}

int timespec_get(struct timespec *out, int base)
{
    if (base != TIME_UTC)
        return 0;
    long t = clock_now(0);
    out->tv_sec = t / NANOSECONDS;
    out->tv_nsec = t % NANOSECONDS;
    return base;
}

int gettimeofday(struct timeval *out, void *zone)
{
    __verify_lib_outside_numbers = 1;
    long t = clock_now(0);
    out->tv_sec = t / NANOSECONDS;
    out->tv_usec = t % NANOSECONDS / 1000;
    if (zone != NULL)
        __builtin_memset(zone, 0, sizeof(struct timezone));
    return 0;
}

/* Linux asks for no place to write to. What is charged to the system and to children is free, but not
 * less than before. */
clock_t times(struct tms *out)
{
    static long now;
    begin_anew();
    if (out != NULL) {
        out->tms_utime = not_back(clock_now(2) / (NANOSECONDS / 100), &ticks.user);
        out->tms_stime = not_back((long)(__verify_nondet_u64("times") & INT_MAX), &ticks.system);
        out->tms_cutime = not_back((long)(__verify_nondet_u64("times") & INT_MAX), &ticks.user_of_children);
        out->tms_cstime = not_back((long)(__verify_nondet_u64("times") & INT_MAX), &ticks.system_of_children);
    }
    return not_back(clock_now(1) / (NANOSECONDS / 100), &now);
}

/* Microseconds. */
static struct timeval later(long t, long *last)
{
    t = not_back(t, last);
    return (struct timeval){.tv_sec = t / 1000000, .tv_usec = t % 1000000};
}

static long some_time(void)
{
    return (long)(__verify_nondet_u64("getrusage") & (1ull << 51) - 1);
}

static long more(long *last)
{
    return not_back((long)(__verify_nondet_u64("getrusage") & (1ull << 48) - 1), last);
}

static void usage(struct rusage *out, struct counts *c, int its_own)
{
    __builtin_memset(out, 0, sizeof *out);
    out->ru_utime = later(its_own ? clock_now(2) / 1000 : some_time(), &c->user);
    out->ru_stime = later(some_time(), &c->system);
    if (its_own && c->memory == 0)
        c->memory = 1;
    out->ru_maxrss = more(&c->memory);
    out->ru_minflt = more(&c->small_faults);
    out->ru_majflt = more(&c->large_faults);
    out->ru_inblock = more(&c->in);
    out->ru_oublock = more(&c->out);
    out->ru_nvcsw = more(&c->waits);
    out->ru_nivcsw = more(&c->switches);
}

/* The time of the process itself is processor time; what else Linux counts is free, not negative, and does not go back. No
 * process lives to see 2^48 of anything (an assumption). */
int getrusage(int who, struct rusage *out)
{
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) {
        errno = EINVAL;
        return -1;
    }
    begin_anew();
    usage(out, &counts[who - RUSAGE_CHILDREN], who != RUSAGE_CHILDREN);
    return 0;
}

/* What a child that was waited for has used. */
void __verify_lib_used(struct rusage *out)
{
    struct counts none = {0};
    usage(out, &none, 0);
}

static int is_time(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < NANOSECONDS;
}

int nanosleep(const struct timespec *request, struct timespec *rest)
{
    if (!is_time(request)) {
        errno = EINVAL;
        return -1;
    }
    __verify_lib_slept(request->tv_sec, request->tv_nsec);
    return 0;
}

/* Nobody sleeps on the clocks that are only looked at. */
int clock_nanosleep(clockid_t id, int flags, const struct timespec *request, struct timespec *rest)
{
    if (id == CLOCK_MONOTONIC_RAW || id == CLOCK_MONOTONIC_COARSE || id == CLOCK_REALTIME_COARSE)
        return ENOTSUP;
    int clock = clock_of(id);
    if (clock < 0 || id == CLOCK_THREAD_CPUTIME_ID || !is_time(request))
        return EINVAL;
    if (!(flags & TIMER_ABSTIME)) {
        if (clock != 2)
            __verify_lib_slept(request->tv_sec, request->tv_nsec);
    } else if (clock == 1 && LONG_MAX > INT_MAX) {
        __verify_assume(request->tv_sec < LATEST / NANOSECONDS);
        not_back(request->tv_sec * NANOSECONDS + request->tv_nsec, &last[id]);
    }
    return 0;
}

unsigned sleep(unsigned seconds)
{
    __verify_lib_slept(seconds, 0);
    return 0;
}

int usleep(useconds_t microseconds)
{
    __verify_lib_slept(microseconds / 1000000, (long)(microseconds % 1000000) * 1000);
    return 0;
}

/* ---- The alarm, which setitimer (linux.c) sets as well. It never rings, unless that changes nothing because the program
 * ignores it. One may have been set when the program began; a child has none. */

static struct itimerval clock_set;

static int later_than(struct timeval a, struct timeval b)
{
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_usec > b.tv_usec);
}

static struct timeval any_time(void)
{
    struct timeval t;
    t.tv_sec = (long)(__verify_nondet_u64("alarm") & INT_MAX);
    t.tv_usec = (long)(__verify_nondet_u64("alarm") % 1000000);
    return t;
}

/* Something is left of one that is set. */
static struct timeval part_of(struct timeval t)
{
    struct timeval left;
    left.tv_sec = (long)(__verify_nondet_u64("alarm") % ((unsigned long)t.tv_sec + 1));
    left.tv_usec = (long)(__verify_nondet_u64("alarm") % 1000000);
    if (later_than(left, t))
        left.tv_usec = t.tv_usec;
    if (left.tv_sec == 0 && left.tv_usec == 0)
        left.tv_usec = 1;
    return left;
}

void __verify_lib_alarm(struct itimerval *out)
{
    static int process;
    struct timeval none = {0, 0};
    if (process == 0 && __verify_lib_process == 1) {
        clock_set.it_value = any_time();
        clock_set.it_interval = any_time();
    } else if (process != __verify_lib_process) {
        clock_set.it_value = clock_set.it_interval = none;
    }
    process = __verify_lib_process;
    *out = clock_set;
    if (!later_than(clock_set.it_value, none))
        return;
    struct timeval most = clock_set.it_value;
    if (__verify_lib_ignores(SIGALRM) && __verify_nondet_u64("alarm") & 1)
        most = clock_set.it_interval;
    out->it_value = later_than(most, none) ? part_of(most) : none;
}

/* After __verify_lib_alarm. */
void __verify_lib_set_alarm(const struct itimerval *to)
{
    clock_set = *to;
}

/* Rounded, but not to nothing. */
unsigned alarm(unsigned seconds)
{
    struct itimerval before, now = {{0, 0}, {seconds, 0}};
    __verify_lib_alarm(&before);
    __verify_lib_set_alarm(&now);
    struct timeval left = before.it_value;
    return (unsigned)left.tv_sec + (left.tv_usec >= 500000 || (left.tv_sec == 0 && left.tv_usec > 0));
}

double difftime(time_t a, time_t b)
{
    return (double)a - (double)b;
}

/* ---- The calendar (proleptic Gregorian), days counted from 1970-01-01. */

static long floor_div(long a, long b)
{
    return a / b - (a % b < 0);
}

static long days_from_civil(long year, int month, int day) /* month 1..12 */
{
    year -= month <= 2;
    long era = floor_div(year, 400);
    long in_era = year - era * 400;
    long in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

static int is_leap(long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static struct tm *split(time_t t, struct tm *out, const char *zone)
{
    /* The product of the days may be less than the least time. */
    long days = floor_div(t, 86400), seconds = t % 86400 < 0 ? t % 86400 + 86400 : t % 86400;
    long z = days + 719468, era = floor_div(z, 146097), in_era = z - era * 146097;
    long year_of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    long day_of_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int mp = (int)((5 * day_of_year + 2) / 153), month = mp < 10 ? mp + 3 : mp - 9;
    long year = year_of_era + era * 400 + (month <= 2);
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        errno = EOVERFLOW;
        return NULL;
    }
    out->tm_sec = (int)(seconds % 60);
    out->tm_min = (int)(seconds / 60 % 60);
    out->tm_hour = (int)(seconds / 3600);
    out->tm_mday = (int)(day_of_year - (153 * mp + 2) / 5 + 1);
    out->tm_mon = month - 1;
    out->tm_year = (int)(year - 1900);
    long weekday = (days + 4) % 7;
    out->tm_wday = (int)(weekday < 0 ? weekday + 7 : weekday);
    out->tm_yday = (int)(days - days_from_civil(year, 1, 1));
    out->tm_isdst = 0;
    out->tm_gmtoff = 0;
    out->tm_zone = zone;
    return out;
}

static struct tm shared_tm;

struct tm *gmtime(const time_t *t) { return split(*t, &shared_tm, "GMT"); }
struct tm *gmtime_r(const time_t *t, struct tm *out) { return split(*t, out, "GMT"); }
struct tm *localtime(const time_t *t) { return split(*t, &shared_tm, "UTC"); }
struct tm *localtime_r(const time_t *t, struct tm *out) { return split(*t, out, "UTC"); }

static time_t join(struct tm *tm, const char *zone)
{
    long month = tm->tm_mon, year = (long)tm->tm_year + 1900 + floor_div(month, 12);
    month -= floor_div(month, 12) * 12;
    long days = days_from_civil(year, (int)month + 1, 1) + tm->tm_mday - 1;
    time_t t = days * 86400 + (long)tm->tm_hour * 3600 + (long)tm->tm_min * 60 + tm->tm_sec;
    struct tm normal;
    if (split(t, &normal, zone) == NULL)
        return -1;
    *tm = normal;
    return t;
}

time_t mktime(struct tm *tm) { return join(tm, "UTC"); }
time_t timelocal(struct tm *tm) { return join(tm, "UTC"); }
time_t timegm(struct tm *tm) { return join(tm, "GMT"); }

/* ---- Text */

static const char *const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
                                     "October", "November", "December"};

struct text {
    char *out;
    size_t n, max; /* n counts also what does not fit */
};

static void add(struct text *t, char c)
{
    if (t->n < t->max)
        t->out[t->n] = c;
    t->n++;
}

static void add_string(struct text *t, const char *s, int upper)
{
    for (; *s != 0; s++)
        add(t, (char)(upper ? vm_toupper((unsigned char)*s) : *s));
}

/* In `width` digits, padded with `pad` (0: not at all). */
static void add_number(struct text *t, long v, int width, char pad)
{
    char digits[24];
    int n = 0, negative = v < 0;
    unsigned long u = negative ? 0ul - (unsigned long)v : (unsigned long)v;
    do {
        digits[n++] = (char)('0' + u % 10);
        u /= 10;
    } while (u != 0);
    if (negative) {
        add(t, '-');
        width--;
    }
    for (int i = n; pad != 0 && i < width; i++)
        add(t, pad);
    while (n > 0)
        add(t, digits[--n]);
}

/* The ISO 8601 week and its year. */
static int iso_week(const struct tm *tm, long *year)
{
    long y = (long)tm->tm_year + 1900;
    int weekday = (tm->tm_wday + 6) % 7; /* Monday 0 */
    int week = (tm->tm_yday - weekday + 10) / 7;
    if (week < 1) {
        y--;
        int days = 365 + is_leap(y);
        week = (tm->tm_yday + days - weekday + 10) / 7;
    } else if (week == 53 && tm->tm_yday - weekday + 3 >= 365 + is_leap(y)) {
        y++;
        week = 1;
    }
    *year = y;
    return week;
}

static const char *name(const char *const *table, int i, int count)
{
    return i >= 0 && i < count ? table[i] : "?";
}

static void add_abbreviation(struct text *t, const char *s, int upper)
{
    for (int i = 0; i < 3 && s[i] != 0; i++)
        add(t, (char)(upper ? vm_toupper((unsigned char)s[i]) : s[i]));
}

static void format_time(struct text *t, const char *format, const struct tm *tm);

static void format_one(struct text *t, char conversion, char pad, int upper, int lower, const struct tm *tm)
{
    long year = (long)tm->tm_year + 1900, iso_year;
    int hour12 = tm->tm_hour % 12 == 0 ? 12 : tm->tm_hour % 12;
    char zero = pad == '-' ? 0 : pad == '_' ? ' ' : '0', blank = pad == '-' ? 0 : pad == '0' ? '0' : ' ';
    switch (conversion) {
    case '%': add(t, '%'); break;
    case 'n': add(t, '\n'); break;
    case 't': add(t, '\t'); break;
    case 'a': add_abbreviation(t, name(weekdays, tm->tm_wday, 7), upper); break;
    case 'A': add_string(t, name(weekdays, tm->tm_wday, 7), upper); break;
    case 'b': case 'h': add_abbreviation(t, name(months, tm->tm_mon, 12), upper); break;
    case 'B': add_string(t, name(months, tm->tm_mon, 12), upper); break;
    case 'c': format_time(t, "%a %b %e %H:%M:%S %Y", tm); break;
    case 'x': case 'D': format_time(t, "%m/%d/%y", tm); break;
    case 'X': case 'T': format_time(t, "%H:%M:%S", tm); break;
    case 'R': format_time(t, "%H:%M", tm); break;
    case 'r': format_time(t, "%I:%M:%S %p", tm); break;
    case 'F': format_time(t, "%Y-%m-%d", tm); break;
    case 'C': add_number(t, floor_div(year, 100), 2, zero); break;
    case 'y': add_number(t, (year % 100 + 100) % 100, 2, zero); break;
    case 'Y': add_number(t, year, 1, 0); break;
    case 'd': add_number(t, tm->tm_mday, 2, zero); break;
    case 'e': add_number(t, tm->tm_mday, 2, blank); break;
    case 'H': add_number(t, tm->tm_hour, 2, zero); break;
    case 'I': add_number(t, hour12, 2, zero); break;
    case 'k': add_number(t, tm->tm_hour, 2, blank); break;
    case 'l': add_number(t, hour12, 2, blank); break;
    case 'j': add_number(t, tm->tm_yday + 1, 3, zero); break;
    case 'm': add_number(t, tm->tm_mon + 1, 2, zero); break;
    case 'M': add_number(t, tm->tm_min, 2, zero); break;
    case 'S': add_number(t, tm->tm_sec, 2, zero); break;
    case 'p': add_string(t, tm->tm_hour >= 12 ? (lower ? "pm" : "PM") : (lower ? "am" : "AM"), 0); break;
    case 'P': add_string(t, tm->tm_hour >= 12 ? "pm" : "am", 0); break;
    case 's': {
        struct tm copy = *tm;
        add_number(t, join(&copy, "UTC"), 1, 0);
        break;
    }
    case 'u': add_number(t, (tm->tm_wday + 6) % 7 + 1, 1, 0); break;
    case 'w': add_number(t, tm->tm_wday, 1, 0); break;
    case 'U': add_number(t, (tm->tm_yday - tm->tm_wday + 7) / 7, 2, zero); break;
    case 'W': add_number(t, (tm->tm_yday - (tm->tm_wday + 6) % 7 + 7) / 7, 2, zero); break;
    case 'V': add_number(t, iso_week(tm, &iso_year), 2, zero); break;
    case 'G': (void)iso_week(tm, &iso_year); add_number(t, iso_year, 1, 0); break;
    case 'g': (void)iso_week(tm, &iso_year); add_number(t, (iso_year % 100 + 100) % 100, 2, zero); break;
    case 'z': {
        long minutes = tm->tm_gmtoff / 60;
        add(t, minutes < 0 ? '-' : '+');
        minutes = minutes < 0 ? -minutes : minutes;
        add_number(t, minutes / 60 * 100 + minutes % 60, 4, '0');
        break;
    }
    case 'Z': {
        const char *zone = tm->tm_zone != NULL ? tm->tm_zone : "";
        for (; *zone != 0; zone++)
            add(t, (char)(lower ? vm_tolower((unsigned char)*zone) : *zone));
        break;
    }
    default:
        __verify_fail("invalid-argument", "unknown conversion in a strftime format");
    }
}

static void format_time(struct text *t, const char *format, const struct tm *tm)
{
    for (; *format != 0; format++) {
        if (*format != '%') {
            add(t, *format);
            continue;
        }
        char pad = 0;
        int upper = 0, lower = 0;
        for (format++;; format++) {
            if (*format == '_' || *format == '-' || *format == '0')
                pad = *format;
            else if (*format == '^')
                upper = 1;
            else if (*format == '#')
                upper = lower = 1;
            else
                break;
        }
        if (vm_isdigit((unsigned char)*format))
            __verify_unmodelled("a field width in a strftime format");
        if (*format == 'E' || *format == 'O')
            format++;
        format_one(t, *format, pad, upper, lower, tm);
    }
}

/* 0, with an unspecified array, when the text with its NUL does not fit. */
size_t strftime(char *out, size_t max, const char *format, const struct tm *tm)
{
    struct text t = {out, 0, max};
    format_time(&t, format, tm);
    if (t.n >= max)
        return 0;
    out[t.n] = 0;
    return t.n;
}

size_t strftime_l(char *out, size_t max, const char *format, const struct tm *tm, locale_t l)
{
    struct text t = {out, 0, max};
    format_time(&t, format, tm);
    if (t.n >= max)
        return 0;
    out[t.n] = 0;
    return t.n;
}

static char shared_text[64];

static char *as_text(const struct tm *tm, char *out, size_t max)
{
    struct text t = {out, 0, max};
    const char *weekday = tm->tm_wday >= 0 && tm->tm_wday < 7 ? weekdays[tm->tm_wday] : "???";
    const char *month = tm->tm_mon >= 0 && tm->tm_mon < 12 ? months[tm->tm_mon] : "???";
    add_abbreviation(&t, weekday, 0);
    add(&t, ' ');
    add_abbreviation(&t, month, 0);
    add_number(&t, tm->tm_mday, 3, ' ');
    add(&t, ' ');
    add_number(&t, tm->tm_hour, 2, '0');
    add(&t, ':');
    add_number(&t, tm->tm_min, 2, '0');
    add(&t, ':');
    add_number(&t, tm->tm_sec, 2, '0');
    add(&t, ' ');
    add_number(&t, 1900 + (long)tm->tm_year, 1, 0);
    add(&t, '\n');
    add(&t, 0);
    if (t.n > max) {
        errno = EOVERFLOW;
        return NULL;
    }
    return out;
}

char *asctime(const struct tm *tm) { return as_text(tm, shared_text, sizeof shared_text); }
/* The buffer has 26 bytes at least, by contract; glibc writes no more than the text, and cuts a longer one there. */
static char *as_short_text(const struct tm *tm, char *out)
{
    char *whole = as_text(tm, out, 26);
    if (whole == NULL)
        out[25] = 0;
    return whole;
}

char *asctime_r(const struct tm *tm, char *out) { return as_short_text(tm, out); }

char *ctime(const time_t *t)
{
    return split(*t, &shared_tm, "UTC") == NULL ? NULL : as_text(&shared_tm, shared_text, sizeof shared_text);
}

char *ctime_r(const time_t *t, char *out)
{
    struct tm tm;
    return split(*t, &tm, "UTC") == NULL ? NULL : as_short_text(&tm, out);
}
