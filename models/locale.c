/* <locale.h>: there is the C locale and no other. */
#include "internal.h"
#include <langinfo.h>
#include <locale.h>
#include <wchar.h>

static int is_c(const char *name)
{
    return name[0] == 0 || vm_strcmp(name, "C") == 0 || vm_strcmp(name, "POSIX") == 0;
}

/* "" is the locale of the environment, here C: an assumption about the machine. */
char *setlocale(int category, const char *name)
{
    static const char c[] = "C";
    if (category < 0 || category > LC_IDENTIFICATION) {
        errno = EINVAL;
        return NULL;
    }
    return name == NULL || is_c(name) ? (char *)c : NULL;
}

struct lconv *localeconv(void)
{
    static struct lconv c = {
        .decimal_point = ".", .thousands_sep = "", .grouping = "", .int_curr_symbol = "", .currency_symbol = "",
        .mon_decimal_point = "", .mon_thousands_sep = "", .mon_grouping = "", .positive_sign = "", .negative_sign = "",
        .int_frac_digits = CHAR_MAX, .frac_digits = CHAR_MAX, .p_cs_precedes = CHAR_MAX, .p_sep_by_space = CHAR_MAX,
        .n_cs_precedes = CHAR_MAX, .n_sep_by_space = CHAR_MAX, .p_sign_posn = CHAR_MAX, .n_sign_posn = CHAR_MAX,
        .int_p_cs_precedes = CHAR_MAX, .int_p_sep_by_space = CHAR_MAX, .int_n_cs_precedes = CHAR_MAX,
        .int_n_sep_by_space = CHAR_MAX, .int_p_sign_posn = CHAR_MAX, .int_n_sign_posn = CHAR_MAX,
    };
    return &c;
}

static char the_locale;

locale_t newlocale(int mask, const char *name, locale_t base)
{
    if (!is_c(name)) {
        errno = ENOENT;
        return NULL;
    }
    return (locale_t)(void *)&the_locale;
}

locale_t uselocale(locale_t l)
{
    static locale_t current;
    locale_t before = current != NULL ? current : LC_GLOBAL_LOCALE;
    if (l != NULL)
        current = l;
    return before;
}

locale_t duplocale(locale_t l)
{
    return (locale_t)(void *)&the_locale;
}

void freelocale(locale_t l)
{
}

char *nl_langinfo(nl_item item)
{
    switch (item) {
    case CODESET: return "ANSI_X3.4-1968";
    case RADIXCHAR: return ".";
    case THOUSEP: return "";
    case YESEXPR: return "^[yY]";
    case NOEXPR: return "^[nN]";
    case DAY_1: return "Sunday";
    case DAY_2: return "Monday";
    case DAY_3: return "Tuesday";
    case DAY_4: return "Wednesday";
    case DAY_5: return "Thursday";
    case DAY_6: return "Friday";
    case DAY_7: return "Saturday";
    case ABDAY_1: return "Sun";
    case ABDAY_2: return "Mon";
    case ABDAY_3: return "Tue";
    case ABDAY_4: return "Wed";
    case ABDAY_5: return "Thu";
    case ABDAY_6: return "Fri";
    case ABDAY_7: return "Sat";
    case MON_1: return "January";
    case MON_2: return "February";
    case MON_3: return "March";
    case MON_4: return "April";
    case MON_5: case ABMON_5: return "May";
    case MON_6: return "June";
    case MON_7: return "July";
    case MON_8: return "August";
    case MON_9: return "September";
    case MON_10: return "October";
    case MON_11: return "November";
    case MON_12: return "December";
    case ABMON_1: return "Jan";
    case ABMON_2: return "Feb";
    case ABMON_3: return "Mar";
    case ABMON_4: return "Apr";
    case ABMON_6: return "Jun";
    case ABMON_7: return "Jul";
    case ABMON_8: return "Aug";
    case ABMON_9: return "Sep";
    case ABMON_10: return "Oct";
    case ABMON_11: return "Nov";
    case ABMON_12: return "Dec";
    case AM_STR: return "AM";
    case PM_STR: return "PM";
    case T_FMT_AMPM: return "%I:%M:%S %p";
    case CRNCYSTR: return "-";
    case ERA: case ERA_D_FMT: case ERA_D_T_FMT: case ERA_T_FMT: case ALT_DIGITS: case YESSTR: case NOSTR: return "";
    case D_T_FMT: return "%a %b %e %H:%M:%S %Y";
    case D_FMT: return "%m/%d/%y";
    case T_FMT: return "%H:%M:%S";
    default: __verify_unmodelled("nl_langinfo of this item");
    }
}

/* Message catalogues: the text itself. */
char *gettext(const char *text) { return (char *)text; }
char *dgettext(const char *domain, const char *text) { return (char *)text; }
char *dcgettext(const char *domain, const char *text, int category) { return (char *)text; }
char *ngettext(const char *one, const char *many, unsigned long n) { return (char *)(n == 1 ? one : many); }
char *dngettext(const char *domain, const char *one, const char *many, unsigned long n)
{
    return (char *)(n == 1 ? one : many);
}
char *dcngettext(const char *domain, const char *one, const char *many, unsigned long n, int category)
{
    return (char *)(n == 1 ? one : many);
}
char *textdomain(const char *domain) { return (char *)(domain != NULL ? domain : "messages"); }
char *bindtextdomain(const char *domain, const char *directory) { return (char *)directory; }
char *bind_textdomain_codeset(const char *domain, const char *codeset) { return (char *)codeset; }
