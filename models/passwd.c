/* <pwd.h>, <grp.h>: users and groups. An entry is found or not; its texts, numbers and members are anything. As in the C
 * library the entry lies in memory that the next call of the family writes again. Nothing says which entry belongs to
 * which name but the name or number that it was asked by. */
#include "internal.h"
#include <grp.h>
#include <pwd.h>

enum { TEXT = 4096, MEMBERS = 4096 };

static vm_reasons no_entry = {ENOENT, EIO, EMFILE, ENFILE, EINTR, ENOMEM, ESRCH, ENOENT};

/* No entry: not found, where errno stays as it is, or a failure. */
static int missing(const char *what)
{
    __verify_analysis_only(what);
    return vm_fails(what, no_entry) || __verify_nondet_u64(what) & 1;
}

static void known_name(char *out, const char *name)
{
    size_t i = 0;
    for (; i < TEXT - 1 && name[i] != 0; i++)
        out[i] = name[i];
    out[i] = 0;
}

/* ---- Users. */

static struct passwd user;
static char user_text[5][TEXT];

static struct passwd *some_user(const char *what, const char *name, const uid_t *id)
{
    if (name != NULL)
        vm_path(name);
    if (missing(what))
        return NULL;
    for (int i = name != NULL ? 1 : 0; i < 5; i++)
        vm_text(user_text[i], TEXT - 1, what);
    if (name != NULL)
        known_name(user_text[0], name);
    user.pw_name = user_text[0];
    user.pw_passwd = user_text[1];
    user.pw_gecos = user_text[2];
    user.pw_dir = user_text[3];
    user.pw_shell = user_text[4];
    user.pw_uid = id != NULL ? *id : (uid_t)__verify_nondet_u64(what);
    user.pw_gid = (gid_t)__verify_nondet_u64(what);
    return &user;
}

struct passwd *getpwnam(const char *name) { return some_user("getpwnam", name, NULL); }
struct passwd *getpwuid(uid_t id) { return some_user("getpwuid", NULL, &id); }
struct passwd *getpwent(void) { return some_user("getpwent", NULL, NULL); }
void setpwent(void) {}
void endpwent(void) {}

/* The next text of an entry in the caller's memory; NULL: it is full. */
static char *put(char **at, size_t *left, const char *text, const char *what)
{
    size_t known = text != NULL ? vm_strlen(text) + 1 : 1;
    if (*left < known)
        return NULL;
    char *here = *at;
    size_t n = known;
    if (text != NULL)
        __builtin_memcpy(here, text, known);
    else
        n = vm_text(here, *left - 1, what);
    *at += n;
    *left -= n;
    return here;
}

static int user_in(const char *what, const char *name, const uid_t *id, struct passwd *out, char *at, size_t n,
                   struct passwd **result)
{
    if (name != NULL)
        vm_path(name);
    *result = NULL;
    __verify_analysis_only(what);
    if (vm_fails(what, no_entry))
        return errno;
    if (__verify_nondet_u64(what) & 1)
        return 0;
    char *text[5];
    for (int i = 0; i < 5; i++) {
        text[i] = put(&at, &n, i == 0 ? name : NULL, what);
        if (text[i] == NULL)
            return ERANGE;
    }
    out->pw_name = text[0];
    out->pw_passwd = text[1];
    out->pw_gecos = text[2];
    out->pw_dir = text[3];
    out->pw_shell = text[4];
    out->pw_uid = id != NULL ? *id : (uid_t)__verify_nondet_u64(what);
    out->pw_gid = (gid_t)__verify_nondet_u64(what);
    *result = out;
    return 0;
}

int getpwnam_r(const char *name, struct passwd *out, char *buffer, size_t n, struct passwd **result)
{
    return user_in("getpwnam_r", name, NULL, out, buffer, n, result);
}
int getpwuid_r(uid_t id, struct passwd *out, char *buffer, size_t n, struct passwd **result)
{
    return user_in("getpwuid_r", NULL, &id, out, buffer, n, result);
}

/* ---- Groups. All members of one have the same name here, which a program cannot rely on either way. */

static struct group group;
static char group_text[2][TEXT], member[TEXT], *members[MEMBERS + 1];

static struct group *some_group(const char *what, const char *name, const gid_t *id)
{
    if (name != NULL)
        vm_path(name);
    if (missing(what))
        return NULL;
    for (int i = name != NULL ? 1 : 0; i < 2; i++)
        vm_text(group_text[i], TEXT - 1, what);
    if (name != NULL)
        known_name(group_text[0], name);
    vm_text(member, TEXT - 1, what);
    size_t n = __verify_nondet_u64(what) % (MEMBERS + 1);
    for (size_t i = 0; i < n; i++)
        members[i] = member;
    members[n] = NULL;
    group.gr_name = group_text[0];
    group.gr_passwd = group_text[1];
    group.gr_mem = members;
    group.gr_gid = id != NULL ? *id : (gid_t)__verify_nondet_u64(what);
    return &group;
}

struct group *getgrnam(const char *name) { return some_group("getgrnam", name, NULL); }
struct group *getgrgid(gid_t id) { return some_group("getgrgid", NULL, &id); }
struct group *getgrent(void) { return some_group("getgrent", NULL, NULL); }
void setgrent(void) {}
void endgrent(void) {}

/* The pointers to the members stand before the texts in the caller's memory. */
static int group_in(const char *what, const char *name, const gid_t *id, struct group *out, char *at, size_t n,
                    struct group **result)
{
    if (name != NULL)
        vm_path(name);
    *result = NULL;
    __verify_analysis_only(what);
    if (vm_fails(what, no_entry))
        return errno;
    if (__verify_nondet_u64(what) & 1)
        return 0;
    size_t skip = -(uintptr_t)at % sizeof(char *), count = __verify_nondet_u64(what) % (MEMBERS + 1);
    size_t list = skip + (count + 1) * sizeof(char *);
    if (n < list)
        return ERANGE;
    char **all = (char **)(at + skip), *text[3];
    at += list;
    n -= list;
    for (int i = 0; i < 3; i++) {
        text[i] = put(&at, &n, i == 0 ? name : NULL, what);
        if (text[i] == NULL)
            return ERANGE;
    }
    for (size_t i = 0; i < count; i++)
        all[i] = text[2];
    all[count] = NULL;
    out->gr_name = text[0];
    out->gr_passwd = text[1];
    out->gr_mem = all;
    out->gr_gid = id != NULL ? *id : (gid_t)__verify_nondet_u64(what);
    *result = out;
    return 0;
}

int getgrnam_r(const char *name, struct group *out, char *buffer, size_t n, struct group **result)
{
    return group_in("getgrnam_r", name, NULL, out, buffer, n, result);
}
int getgrgid_r(gid_t id, struct group *out, char *buffer, size_t n, struct group **result)
{
    return group_in("getgrgid_r", NULL, &id, out, buffer, n, result);
}

/* As many as fit are written; how many there are is said in any case. */
int getgrouplist(const char *name, gid_t own, gid_t *out, int *count)
{
    __verify_analysis_only("getgrouplist");
    vm_path(name);
    int have = 1 + (int)(__verify_nondet_u64("getgrouplist") & 0xffff), room = *count;
    if (room > 0)
        __verify_nondet_bytes(out, (size_t)(room < have ? room : have) * sizeof *out, "getgrouplist");
    *count = have;
    return have > room ? -1 : have;
}

/* Typed at the terminal, if there is one. */
char *getpass(const char *prompt)
{
    static char text[TEXT];
    static vm_reasons why = {ENXIO, ENOTTY, EIO, ENXIO, ENXIO, EINTR, EMFILE, ENOMEM};
    __verify_analysis_only("getpass");
    vm_path(prompt);
    if (vm_fails("getpass", why))
        return NULL;
    vm_text(text, TEXT - 1, "getpass");
    return text;
}
