# SPDX-License-Identifier: BSD-3-Clause
"""A Python program that knows NVTX and nothing of libtprof: nvtx_program.py nvtx|torch"""
import sys
import time


def with_nvtx():
    import nvtx

    @nvtx.annotate("forward", color="green", domain="model", category="layers", payload=5)
    def forward():
        time.sleep(0.003)

    for _ in range(3):
        with nvtx.annotate("step"):
            forward()
            handle = nvtx.start_range("started")
            time.sleep(0.001)
            nvtx.end_range(handle)
            nvtx.mark("loss computed")


def with_torch():
    from torch.cuda import nvtx

    for _ in range(3):
        with nvtx.range("step"):
            nvtx.range_push("forward")
            time.sleep(0.003)
            nvtx.range_pop()
            nvtx.mark("loss computed")


{"nvtx": with_nvtx, "torch": with_torch}[sys.argv[1]]()
