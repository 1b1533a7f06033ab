// SPDX-License-Identifier: BSD-3-Clause
// TensorBoard trace handler: directory, file name, which encoder into which sink, and the thread on
// which that happens.
#include "handler.h"

#include "encode/encoder.h"
#include "encode/tfevents_file.h"
#include "profiler.h"
#include "run_folder.h"
#include "window.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct job {
    struct job *next;
    tp_capture *capture;
    int64_t stamp;
} job;

struct tp_board {
    char *given;     // the directory as the program named it
    char *directory; // the same from the root on: the program may go elsewhere meanwhile
    char worker[TP_WORKER_BYTES];
    tprof_tensorboard_options options;
    tp_run_folder folder;      // of the window being written; the thread's own
    tp_tfevents_file *scalars; // made with the first window; the thread's own

    pthread_mutex_t lock; // all below
    pthread_cond_t work, done;
    pthread_t thread;
    bool has_thread, stopping;
    job *first, **last;
    uint64_t pending; // jobs waiting or in work
    uint64_t files, failed, bytes;
    int32_t rank;
    tprof_status failure; // the first since the last flush
    char error[512];
    char last_file[4096];
};

static void note_failure(tp_board *board, tprof_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void note_failure(tp_board *board, tprof_status status, const char *format, ...)
{
    va_list args;

    pthread_mutex_lock(&board->lock);
    va_start(args, format);
    vsnprintf(board->error, sizeof(board->error), format, args);
    va_end(args);
    board->failed++;
    if (board->failure == TPROF_OK)
        board->failure = status;
    pthread_mutex_unlock(&board->lock);
}

static void note_file(tp_board *board, const char *path)
{
    struct stat info;
    const bool found = stat(path, &info) == 0;

    pthread_mutex_lock(&board->lock);
    board->files++;
    if (found)
        board->bytes += (uint64_t)info.st_size;
    if (!board->options.run_folders)
        snprintf(board->last_file, sizeof(board->last_file), "%s", path);
    pthread_mutex_unlock(&board->lock);
}

static char *joined(const char *directory, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

// Where the file of that name is written: in the directory, or in the window's folder. To be freed.
static char *place_for(tp_board *board, const char *name)
{
    if (board->options.run_folders)
        return board->folder.temporary ? tp_run_folder_add(&board->folder, name) : NULL;
    return joined(board->directory, name);
}

// The name that the trace gives itself: as torch does, the path that the program gave. To be freed.
static char *trace_name_of(const tp_board *board, const char *name)
{
    return board->options.run_folders ? strdup(name) : joined(board->given, name);
}

// Another process may have a worker of the same name that took the stamp: then a later one.
static tprof_status encode(tp_board *board, const job *work, char **path, int *error)
{
    enum { TRIES = 16 };
    tprof_status status = TPROF_ERR_EXISTS;
    int64_t stamp = work->stamp;
    char name[TP_WORKER_BYTES + 64];

    *error = 0;
    *path = NULL;
    for (int i = 0; status == TPROF_ERR_EXISTS && i < TRIES; i++) {
        snprintf(name, sizeof(name), "%s.%lld%s%s", board->worker, (long long)stamp,
                 tp_encoder_chrome.suffix, board->options.plain ? "" : ".gz");
        free(*path);
        *path = place_for(board, name);
        char *const trace_name = trace_name_of(board, name);
        status = *path && trace_name
                     ? tp_encode_file(&tp_encoder_chrome, work->capture, *path, trace_name, error)
                     : TPROF_ERR_MEMORY;
        free(trace_name);
        stamp = tp_stamp_next();
    }
    return status;
}

// The folder of the window is placed once its last file is written.
static void place_folder(tp_board *board)
{
    char *last_file;
    const int error = tp_run_folder_place(&board->folder, board->worker, &last_file);
    if (error) {
        note_failure(board, TPROF_ERR_IO, "%s: %s", board->directory, strerror(error));
        return;
    }
    pthread_mutex_lock(&board->lock);
    snprintf(board->last_file, sizeof(board->last_file), "%s", last_file ? last_file : "");
    pthread_mutex_unlock(&board->lock);
    free(last_file);
}

// Viewers show one event file a folder as it grows, so ranks above 0 have a folder each.
static tp_tfevents_file *open_scalars(tp_board *board, int *error)
{
    char *folder = NULL;

    pthread_mutex_lock(&board->lock);
    const bool first = board->rank == 0;
    pthread_mutex_unlock(&board->lock);
    if (first)
        return tp_tfevents_create(board->directory);
    if (asprintf(&folder, "%s/%s", board->directory, board->worker) < 0)
        return NULL;
    *error = tp_folder_make(folder);
    tp_tfevents_file *file = *error ? NULL : tp_tfevents_create(folder);
    free(folder);
    return file;
}

static void add_scalars(tp_board *board, const tp_capture *capture)
{
    tprof_status status = TPROF_ERR_MEMORY;
    int error = 0;

    if (!board->scalars)
        board->scalars = open_scalars(board, &error);
    if (board->scalars)
        status = tp_tfevents_add(board->scalars, capture, &error);
    if (status != TPROF_OK)
        note_failure(board, error ? TPROF_ERR_IO : status, "scalars in %s: %s", board->directory,
                     error ? strerror(error) : tprof_status_text(status));
}

static void do_job(tp_board *board, const job *work)
{
    char *path = NULL;
    int error = tp_folder_make(board->directory);

    if (!error && board->options.run_folders && !board->folder.temporary)
        error = tp_run_folder_open(&board->folder, board->directory);
    if (error) {
        note_failure(board, TPROF_ERR_IO, "%s: %s", board->directory, strerror(error));
        return;
    }
    tp_capture_prepare(work->capture);
    const tprof_status status = encode(board, work, &path, &error);
    if (status == TPROF_OK)
        note_file(board, path);
    else
        note_failure(board, status, "%s: %s", path ? path : board->directory,
                     error ? strerror(error) : tprof_status_text(status));
    free(path);
    if (board->options.scalars)
        add_scalars(board, work->capture);
    if (board->options.run_folders && work->capture->window_complete)
        place_folder(board);
}

static void finish_job(tp_board *board, job *work)
{
    do_job(board, work);
    tp_capture_release(work->capture);
    free(work);
    pthread_mutex_lock(&board->lock);
    board->pending--;
    pthread_cond_broadcast(&board->done);
    pthread_mutex_unlock(&board->lock);
}

static void *write_in_background(void *arg)
{
    tp_board *board = arg;

    prctl(PR_SET_NAME, "tprof-writer");
    pthread_mutex_lock(&board->lock);
    while (board->first || !board->stopping) {
        job *work = board->first;
        if (!work) {
            pthread_cond_wait(&board->work, &board->lock);
            continue;
        }
        board->first = work->next;
        if (!board->first)
            board->last = &board->first;
        pthread_mutex_unlock(&board->lock);
        finish_job(board, work);
        pthread_mutex_lock(&board->lock);
    }
    pthread_mutex_unlock(&board->lock);
    return NULL;
}

// The program's signals are for its own threads.
static bool start_thread(tp_board *board)
{
    sigset_t all, before;

    if (board->has_thread)
        return true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    board->has_thread = pthread_create(&board->thread, NULL, write_in_background, board) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return board->has_thread;
}

static void window_ready(tprof_profiler *profiler, void *arg)
{
    tp_board *board = arg;
    tp_capture *capture = tp_profiler_last(profiler);
    job *work = malloc(sizeof(*work));

    if (!capture || !work) {
        tp_capture_release(capture);
        free(work);
        note_failure(board, TPROF_ERR_MEMORY, "no memory to write a window");
        return;
    }
    *work = (job){.capture = capture, .stamp = tp_stamp_next()};
    pthread_mutex_lock(&board->lock);
    board->pending++;
    const bool background = start_thread(board);
    if (background) {
        *board->last = work;
        board->last = &work->next;
        pthread_cond_signal(&board->work);
    }
    pthread_mutex_unlock(&board->lock);
    if (!background)
        finish_job(board, work);
}

static void free_board(tp_board *board)
{
    if (!board)
        return;
    free(board->given);
    free(board->directory);
    free(board);
}

static void release(void *arg)
{
    tp_board *board = arg;

    if (!board)
        return;
    if (board->has_thread) {
        pthread_mutex_lock(&board->lock);
        board->stopping = true;
        pthread_cond_signal(&board->work);
        pthread_mutex_unlock(&board->lock);
        pthread_join(board->thread, NULL);
    }
    tp_run_folder_abandon(&board->folder);
    tp_tfevents_destroy(board->scalars);
    pthread_cond_destroy(&board->work);
    pthread_cond_destroy(&board->done);
    pthread_mutex_destroy(&board->lock);
    free_board(board);
}

// The path from the root on; as it is where that cannot be told. To be freed.
static char *absolute(const char *directory)
{
    char here[PATH_MAX];
    return *directory == '/' || !getcwd(here, sizeof(here)) ? strdup(directory)
                                                            : joined(here, directory);
}

static tp_board *make_board(const char *directory)
{
    tp_board *const board = calloc(1, sizeof(*board));

    if (board) {
        board->given = strdup(directory);
        board->directory = absolute(directory);
    }
    if (board && board->given && board->directory)
        return board;
    free_board(board);
    return NULL;
}

tprof_handler tprof_tensorboard_trace_handler(const char *dir, const char *worker,
                                              const tprof_tensorboard_options *options)
{
    static const tprof_tensorboard_options defaults;
    tprof_handler handler = {.call = window_ready, .release = release, .each_step = true};
    tp_board *const board = dir && *dir ? make_board(dir) : NULL;

    options = options ? options : &defaults;
    if (!board) {
        handler.status = dir && *dir ? TPROF_ERR_MEMORY : TPROF_ERR_ARGUMENT;
        return handler;
    }
    board->options = *options;
    tp_worker_name(worker, board->worker);
    pthread_mutex_init(&board->lock, NULL);
    pthread_cond_init(&board->work, NULL);
    pthread_cond_init(&board->done, NULL);
    board->last = &board->first;
    handler.arg = board;
    handler.each_step = options->files == TPROF_FILE_PER_STEP;
    return handler;
}

tp_board *tp_board_of(const tprof_handler *handler)
{
    return handler->call == window_ready ? handler->arg : NULL;
}

bool tp_board_set_rank(tp_board *board, int32_t rank)
{
    pthread_mutex_lock(&board->lock);
    board->rank = rank;
    pthread_mutex_unlock(&board->lock);
    return board->options.rank_count <= 0 || rank < board->options.rank_count;
}

tprof_status tp_board_flush(tp_board *board)
{
    pthread_mutex_lock(&board->lock);
    while (board->pending)
        pthread_cond_wait(&board->done, &board->lock);
    const tprof_status failure = board->failure;
    board->failure = TPROF_OK;
    pthread_mutex_unlock(&board->lock);
    return failure;
}

void tp_board_add_stats(tp_board *board, tprof_stats *stats)
{
    pthread_mutex_lock(&board->lock);
    stats->files += board->files;
    stats->failed_files += board->failed;
    stats->pending_files += board->pending;
    stats->written_bytes += board->bytes;
    pthread_mutex_unlock(&board->lock);
}

static size_t copy_text(tp_board *board, const char *from, char *text, size_t size)
{
    pthread_mutex_lock(&board->lock);
    const int length = snprintf(text, size, "%s", from);
    pthread_mutex_unlock(&board->lock);
    return length < 0 ? 0 : (size_t)length;
}

size_t tp_board_error(tp_board *board, char *text, size_t size)
{
    return copy_text(board, board->error, text, size);
}

size_t tp_board_last_file(tp_board *board, char *path, size_t size)
{
    return copy_text(board, board->last_file, path, size);
}
