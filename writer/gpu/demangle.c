// SPDX-License-Identifier: BSD-3-Clause
// Names of kernels as people read them.
#include "gpu/demangle.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { NAME_LIMIT = 8192 }; // longer ones take more time than they are worth

typedef char *(*demangler)(const char *mangled, char *buffer, size_t *length, int *status);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static demangler demangle;

// Programs with kernels are C++ programs and have the library; one in plain C that uses only
// kernels of others gets it here. Without it names stay as they are.
static void find_demangler(void)
{
    void *address = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    if (!address) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
        if (library)
            address = dlsym(library, "__cxa_demangle");
        dlerror();
    }
    memcpy(&demangle, &address, sizeof(demangle));
}

char *tp_demangle(const char *mangled)
{
    int status = 0;

    if (strncmp(mangled, "_Z", 2) != 0 || strnlen(mangled, NAME_LIMIT + 1) > NAME_LIMIT)
        return NULL;
    pthread_once(&once, find_demangler);
    return demangle ? demangle(mangled, NULL, NULL, &status) : NULL;
}
