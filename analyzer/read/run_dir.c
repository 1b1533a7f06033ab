// SPDX-License-Identifier: BSD-3-Clause
// Which files of a log directory are traces, and to which run, worker and span each belongs.
#include "read/run_dir.h"

#include "read/decimal.h"
#include "read/json_bytes.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct run_identity {
    uint64_t device, inode;
} run_identity;

typedef struct names {
    const char **items;
    uint32_t count, capacity;
} names;

// A walk from one log directory. Links are followed when all that is really there has been seen, so
// that it keeps its own names.
typedef struct walk {
    run_listing *listing;
    arena *arena;
    const char *root;      // without a slash at its end
    const char *root_name; // run name of files directly in it
    names links;
} walk;

static const text SUFFIX = TEXT_INIT(".pt.trace.json"), GZIP_SUFFIX = TEXT_INIT(".gz");

static void ignore(run_listing *l, arena *a, const char *path, const char *reason)
{
    arena_reserve_one(a, l->ignored, l->ignored_count, l->ignored_capacity);
    l->ignored[l->ignored_count++] = (run_ignored){path, reason};
}

// True the first time.
static bool first_time(run_listing *l, arena *a, const struct stat *status)
{
    const run_identity id = {(uint64_t)status->st_dev, (uint64_t)status->st_ino};
    uint64_t key = hash_bytes(&id, sizeof(id));
    uint32_t known;

    for (; (known = id_map_get(&l->seen_by_hash, key)) != ID_NONE; key++)
        if (l->seen[known].device == id.device && l->seen[known].inode == id.inode)
            return false;
    arena_reserve_one(a, l->seen, l->seen_count, l->seen_capacity);
    id_map_put(&l->seen_by_hash, a, key, l->seen_count);
    l->seen[l->seen_count++] = id;
    return true;
}

static text cut(text t, text suffix)
{
    return (text){t.at, t.length - (text_ends(t, suffix) ? suffix.length : 0)};
}

// Splits a trailing ".digits" off. False where there is none.
static bool split_stamp(text *name, text *digits)
{
    size_t at = name->length;

    while (at && json_is_digit(name->at[at - 1]))
        at--;
    if (at == name->length || at == 0 || name->at[at - 1] != '.')
        return false;
    *digits = (text){name->at + at, name->length - at};
    name->length = at - 1;
    return true;
}

// The writers stamped in ms, then in ns; the number of digits tells the unit.
static int64_t stamp_ns(text digits)
{
    int64_t stamp;
    int shift = 0;

    while (digits.length > 1 && *digits.at == '0')
        digits = (text){digits.at + 1, digits.length - 1};
    if (digits.length >= 9 && digits.length <= 11)
        shift = 9;
    else if (digits.length >= 12 && digits.length <= 14)
        shift = 6;
    else if (digits.length >= 15 && digits.length <= 17)
        shift = 3;
    decimal_parse(digits, shift, &stamp);
    return stamp;
}

// Is it ^(.*?)(\.\d+)?\.pt\.trace\.json(\.gz)?$ ?
static bool is_trace_name(const char *name)
{
    return text_ends(cut(text_of(name), GZIP_SUFFIX), SUFFIX);
}

static void add_file(run_listing *l, arena *a, const char *path, const char *run)
{
    const char *slash = strrchr(path, '/');
    text name = cut(text_of(slash ? slash + 1 : path), GZIP_SUFFIX), digits;
    run_file file = {.path = path, .run = run, .span = "default", .stamp = -1};

    if (text_ends(name, SUFFIX)) {
        name = cut(name, SUFFIX);
        if (split_stamp(&name, &digits)) {
            file.span = arena_copy(a, digits.at, digits.length);
            file.stamp = stamp_ns(digits);
        }
    } else {
        name = cut(name, TEXT(".json"));
    }
    file.worker = arena_copy(a, name.at, name.length);
    arena_reserve_one(a, l->files, l->file_count, l->file_capacity);
    l->files[l->file_count++] = file;
}

static const char *why_not(const char *name)
{
    const text t = text_of(name);

    if (text_ends(t, TEXT(".tmp")))
        return "an unfinished recording (.tmp): its writer was stopped";
    if (text_holds(t, TEXT("tfevents")))
        return "TensorBoard events, not a trace";
    if (text_ends(cut(t, GZIP_SUFFIX), TEXT(".json")))
        return "its name does not end in .pt.trace.json or .pt.trace.json.gz";
    return "not a trace by its name";
}

static void add_name(arena *a, names *list, const char *name)
{
    arena_reserve_one(a, list->items, list->count, list->capacity);
    list->items[list->count++] = name;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The names in a folder, in order. False with errno where it cannot be read.
static bool list_names(arena *a, const char *path, names *list)
{
    DIR *folder = opendir(*path ? path : "/");
    const struct dirent *entry;

    if (!folder)
        return false;
    while ((entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            add_name(a, list, arena_copy(a, entry->d_name, strlen(entry->d_name)));
    closedir(folder);
    if (list->count)
        qsort(list->items, list->count, sizeof(*list->items), compare_names);
    return true;
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static const char *why_not_open(const char *path, int number)
{
    if (number == ELOOP)
        return "a link that leads to itself";
    if (number == ENOENT && is_link(path))
        return "a link to nothing";
    if (number == EACCES || number == EPERM)
        return "no permission to read it";
    return number == ENAMETOOLONG ? "its path is too long" : "cannot be opened";
}

static void add_found(const walk *w, const char *path)
{
    const size_t root_length = strlen(w->root);
    const char *slash = strrchr(path, '/'), *begin = path + root_length + 1;
    const bool direct = slash < begin;

    add_file(w->listing, w->arena, path,
             direct ? w->root_name : arena_copy(w->arena, begin, (size_t)(slash - begin)));
}

// As `gzip --keep` leaves them: counted twice, a recording would have twice its steps.
static bool has_plain_twin(arena *a, const char *path)
{
    const text name = text_of(path), plain = cut(name, GZIP_SUFFIX);
    struct stat status;

    return plain.length < name.length &&
           stat(arena_copy(a, plain.at, plain.length), &status) == 0 && S_ISREG(status.st_mode);
}

static void walk_folder(walk *w, const char *path);

static void walk_entry(walk *w, const char *path)
{
    run_listing *l = w->listing;
    const char *name = strrchr(path, '/') + 1;
    struct stat status;

    if (stat(path, &status) != 0) {
        ignore(l, w->arena, path, why_not_open(path, errno));
        return;
    }
    const bool folder = S_ISDIR(status.st_mode);
    if (!folder && !is_trace_name(name))
        ignore(l, w->arena, path, why_not(name));
    else if (!folder && !S_ISREG(status.st_mode))
        ignore(l, w->arena, path, "not a regular file");
    else if (!folder && has_plain_twin(w->arena, path))
        ignore(l, w->arena, path, "a packed copy of the .json file beside it");
    else if (!first_time(l, w->arena, &status))
        ignore(l, w->arena, path,
               folder ? "a link to a folder that was looked into already"
                      : "the same file as one that was found already");
    else if (folder)
        walk_folder(w, path);
    else
        add_found(w, path);
}

static void walk_folder(walk *w, const char *path)
{
    names list = {0};

    if (!list_names(w->arena, path, &list)) {
        ignore(w->listing, w->arena, path, why_not_open(path, errno));
        return;
    }
    w->listing->folder_count++;
    for (uint32_t i = 0; i < list.count; i++) {
        const char *entry = arena_printf(w->arena, "%s/%s", path, list.items[i]);
        if (is_link(entry))
            add_name(w->arena, &w->links, entry);
        else
            walk_entry(w, entry);
    }
}

// Follows links, and links found behind them.
static void walk_all(walk *w)
{
    walk_folder(w, w->root);
    for (uint32_t i = 0; i < w->links.count; i++)
        walk_entry(w, w->links.items[i]);
}

// The last part of a folder's real path.
static const char *base_name(arena *a, const char *path)
{
    char *real = realpath(path, NULL);
    if (!real)
        return arena_copy(a, path, strlen(path));
    const char *slash = strrchr(real, '/');
    const char *name = slash && slash[1] ? slash + 1 : real;
    const char *copy = arena_copy(a, name, strlen(name));
    free(real);
    return copy;
}

static const char *folder_of(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == path ? "/" : slash ? arena_copy(a, path, (size_t)(slash - path)) : ".";
}

err_code run_listing_add(run_listing *l, arena *a, const char *path, error *err)
{
    struct stat status;

    if (strcmp(path, "-") == 0) {
        add_file(l, a, "-", "-");
        return ERR_NONE;
    }
    err->path = path;
    if (stat(path, &status) != 0)
        return error_at(err, ERR_IO, ERROR_NO_OFFSET, "cannot open: %s", strerror(errno));
    size_t length = strlen(path);
    while (S_ISDIR(status.st_mode) && length > 1 && path[length - 1] == '/')
        length--;
    path = arena_copy(a, path, length);
    if (!first_time(l, a, &status)) {
        ignore(l, a, path, "the same as one that was named or found already");
        return ERR_NONE;
    }
    if (!S_ISDIR(status.st_mode)) {
        add_file(l, a, path, base_name(a, folder_of(a, path)));
        return ERR_NONE;
    }
    DIR *folder = opendir(path);
    if (!folder)
        return error_at(err, ERR_IO, ERROR_NO_OFFSET, "cannot open: %s", strerror(errno));
    closedir(folder);
    walk w = {l, a, strcmp(path, "/") == 0 ? "" : path, base_name(a, path), {0}};
    walk_all(&w);
    return ERR_NONE;
}

static int compare_files(const void *a, const void *b)
{
    const run_file *one = a, *other = b;
    int order = strcmp(one->run, other->run);

    if (!order)
        order = strcmp(one->worker, other->worker);
    if (!order)
        order = (one->stamp > other->stamp) - (one->stamp < other->stamp);
    return order ? order : strcmp(one->path, other->path);
}

static int compare_ignored(const void *a, const void *b)
{
    const run_ignored *one = a, *other = b;
    return strcmp(one->path, other->path);
}

void run_listing_sort(run_listing *l)
{
    if (l->file_count)
        qsort(l->files, l->file_count, sizeof(*l->files), compare_files);
    if (l->ignored_count)
        qsort(l->ignored, l->ignored_count, sizeof(*l->ignored), compare_ignored);
}
