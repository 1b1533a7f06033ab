cmake_minimum_required(VERSION 3.22)
# SPDX-License-Identifier: BSD-3-Clause
# Who may include whom: a folder may include itself and what its line names. Run as
#   cmake -DROOT=<source tree> -P tests/check_layers.cmake
# Files directly in writer/ or analyzer/ (main.c, profiler.c, ...) may include everything of theirs.

# What both halves may use, beside C's headers.
set(public tprof)

set(analyzer_layers base read model timeline link analyze diagnose report views cli)
set(analyzer_base "")
set(analyzer_read base)
set(analyzer_model base read)
set(analyzer_timeline base model)
set(analyzer_link base model timeline)
set(analyzer_analyze base model timeline link)
set(analyzer_diagnose base analyze)
set(analyzer_report base out)
set(analyzer_views base model analyze diagnose report)
set(analyzer_cli ${analyzer_layers} out)

# Folders of the writer; the headers beside them that stand above them.
set(writer_out "")
set(writer_gpu "")
set(writer_encode out)
set(writer_above recorder profiler handler annotate)

function(check half)
  file(GLOB_RECURSE sources RELATIVE ${ROOT}/${half} ${ROOT}/${half}/*/*.[ch])
  foreach(source ${sources})
    string(REGEX MATCH "^[^/]+" layer ${source})
    if(NOT DEFINED ${half}_${layer})
      continue()
    endif()
    file(STRINGS ${ROOT}/${half}/${source} includes REGEX "^#include \"[^\"]+/")
    foreach(line ${includes})
      string(REGEX REPLACE "^#include \"([^/]+)/.*" "\\1" target "${line}")
      if(NOT target STREQUAL layer AND NOT target IN_LIST ${half}_${layer} AND NOT target IN_LIST public)
        message(SEND_ERROR "${half}/${source}: ${layer}/ may not include ${target}/")
      endif()
    endforeach()
  endforeach()
endfunction()

check(analyzer)
check(writer)

file(GLOB_RECURSE sources RELATIVE ${ROOT}/writer ${ROOT}/writer/*/*.[ch])
foreach(source ${sources})
  string(REGEX MATCH "^[^/]+" layer ${source})
  if(NOT DEFINED writer_${layer})
    continue()
  endif()
  file(STRINGS ${ROOT}/writer/${source} includes REGEX "^#include \"[^\"/]+\\.h\"")
  foreach(line ${includes})
    string(REGEX REPLACE "^#include \"([^\"]+)\\.h\".*" "\\1" target "${line}")
    if(target IN_LIST writer_above OR layer STREQUAL out)
      message(SEND_ERROR "writer/${source}: ${layer}/ may not include ${target}.h")
    endif()
  endforeach()
endforeach()

# A folder of the analyzer without a line above would go unchecked.
file(GLOB folders RELATIVE ${ROOT}/analyzer ${ROOT}/analyzer/*)
foreach(folder ${folders})
  if(IS_DIRECTORY ${ROOT}/analyzer/${folder} AND NOT folder IN_LIST analyzer_layers)
    message(SEND_ERROR "analyzer/${folder}/: no line in tests/check_layers.cmake says what it may include")
  endif()
endforeach()

# A file's name says which file it is, wherever it lies.
set(names "")
foreach(folder analyzer include tests writer)
  file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${folder}/*.[ch])
  foreach(source ${sources})
    get_filename_component(name ${source} NAME)
    if(name IN_LIST names)
      message(SEND_ERROR "${source}: another file has this name")
    endif()
    list(APPEND names ${name})
  endforeach()
endforeach()
