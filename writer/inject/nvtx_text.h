// SPDX-License-Identifier: BSD-3-Clause
// Texts, domains, categories and registered strings of NVTX, as interned names.
#ifndef INJECT_NVTX_TEXT_H
#define INJECT_NVTX_TEXT_H

#include "inject/nvtx_abi.h"

// Interned; "" for NULL. Any thread, as all here.
const char *tp_nvtx_text(const char *text);

// The same of wide characters, as UTF-8.
const char *tp_nvtx_wide_text(const wchar_t *text);

// What a message says, whatever its type; "" where there is none.
const char *tp_nvtx_message(const nvtx_attributes *attributes);

// A domain's handle is its interned name.
const char *tp_nvtx_domain_name(nvtx_domain domain); // NULL for the default one

// Names a category of a domain; texts are interned.
void tp_nvtx_name_category(nvtx_domain domain, uint32_t category, const char *name);

// The name of a category, or its number as text; NULL for 0.
const char *tp_nvtx_category(nvtx_domain domain, uint32_t category);

// A thread names another one, which asks for its name when it next has a range: `changes` tells
// whether there is anything new. NULL where nobody named it.
void tp_nvtx_name_other_thread(uint32_t thread, const char *name);
uint32_t tp_nvtx_name_changes(void);
const char *tp_nvtx_name_of_thread(uint32_t thread);

#endif
