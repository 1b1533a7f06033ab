// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "model/name_flags.h"
#include "model/tensor_names.h"

typedef struct flag_case {
    const char *name;
    uint32_t flags; // of those under test
} flag_case;

static uint32_t all_flags(const char *name)
{
    const text t = text_of(name);
    return name_flags_host(t) | name_flags_call(t) | name_flags_work(t);
}

static void check(const flag_case *cases, size_t count, uint32_t tested)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t flags = all_flags(cases[i].name) & tested;
        if (flags != cases[i].flags)
            fail_msg("%s: %x instead of %x", cases[i].name, flags, cases[i].flags);
    }
}

static void loaders_steps_optimizers_and_wrappers_are_told_by_their_names(void **state)
{
    static const flag_case cases[] = {
        {"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
         NAME_LOADER | NAME_LOADER_SINGLE                                               },
        {"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
         NAME_LOADER | NAME_LOADER_MULTI                                                },
        {"enumerate(DataLoader)#batches.__next__",                        NAME_LOADER   },
        {"enumerate(DataPipe)#MapperIterDataPipe",                        NAME_LOADER   },
        {"my enumerate(DataLoader)#x",                                    0             },
        {"DataLoader",                                                    0             },
        {"ProfilerStep#12",                                               NAME_STEP     },
        {"ProfilerStep",                                                  0             },
        {"Optimizer.step#SGD.step",                                       NAME_OPTIMIZER},
        {"DataParallel.forward",                                          NAME_WRAPPER  },
        {"DistributedDataParallel.forward",                               NAME_WRAPPER  },
        {"MyDataParallel.forward",                                        0             },
    };
    (void)state;
    check(cases, ARRAY_LEN(cases),
          NAME_LOADER | NAME_LOADER_SINGLE | NAME_LOADER_MULTI | NAME_STEP | NAME_OPTIMIZER |
              NAME_WRAPPER);
}

static void calls_wait_copy_allocate_or_launch(void **state)
{
    static const flag_case cases[] = {
        {"cudaStreamSynchronize",       NAME_SYNC_CALL                      },
        {"cudaDeviceSynchronize",       NAME_SYNC_CALL                      },
        {"hipEventSynchronize",         NAME_SYNC_CALL                      },
        {"cuCtxSynchronize",            NAME_SYNC_CALL                      },
        {"cudaStreamSynchronize_ptsz",  NAME_SYNC_CALL                      },
        {"zeCommandQueueSynchronize",   NAME_SYNC_CALL                      },
        {"cudaMemcpy",                  NAME_COPY_CALL | NAME_LAUNCH_CALL   },
        {"cudaMemcpy2D",                NAME_COPY_CALL | NAME_LAUNCH_CALL   },
        {"hipMemcpyWithStream",         NAME_COPY_CALL | NAME_LAUNCH_CALL   },
        {"cudaMemcpyAsync",             NAME_LAUNCH_CALL                    },
        {"cudaMemcpy2DAsync",           0                                   },
        {"hipMemcpyDtoH",               NAME_COPY_CALL | NAME_LAUNCH_CALL   },
        {"cuMemcpyHtoD_v2",             NAME_COPY_CALL | NAME_LAUNCH_CALL   },
        {"cuMemcpyDtoHAsync_v2",        0                                   },
        {"cudaMalloc",                  NAME_ALLOC_CALL                     },
        {"cudaMallocAsync",             NAME_ALLOC_CALL                     },
        {"cudaFree",                    NAME_ALLOC_CALL                     },
        {"cudaFreeHost",                NAME_ALLOC_CALL                     },
        {"cudaHostAlloc",               NAME_ALLOC_CALL                     },
        {"hipFree",                     NAME_ALLOC_CALL                     },
        {"cuMemCreate",                 NAME_ALLOC_CALL                     },
        {"cuMemUnmap",                  NAME_ALLOC_CALL                     },
        {"cuMemsetD8Async",             0                                   },
        {"cudaMemsetAsync",             NAME_LAUNCH_CALL                    },
        {"cudaLaunchKernel",            NAME_LAUNCH_CALL                    },
        {"cudaLaunchKernelExC",         NAME_LAUNCH_CALL                    },
        {"cudaLaunchCooperativeKernel", NAME_LAUNCH_CALL                    },
        {"cuLaunchKernelEx",            NAME_LAUNCH_CALL                    },
        {"hipExtModuleLaunchKernel",    NAME_LAUNCH_CALL                    },
        {"urEnqueueKernelLaunch",       NAME_LAUNCH_CALL                    },
        {"cudaGraphLaunch",             NAME_LAUNCH_CALL | NAME_GRAPH_LAUNCH},
        {"hipGraphLaunch",              NAME_LAUNCH_CALL | NAME_GRAPH_LAUNCH},
        {"cudaEventRecord",             0                                   },
        {"aten::mm",                    0                                   },
    };
    (void)state;
    check(cases, ARRAY_LEN(cases),
          NAME_SYNC_CALL | NAME_COPY_CALL | NAME_ALLOC_CALL | NAME_LAUNCH_CALL | NAME_GRAPH_LAUNCH);
}

static void only_a_kernels_own_name_makes_it_communication(void **state)
{
    static const flag_case cases[] = {
        {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)",                   NAME_COMMUNICATION},
        {"ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)",                NAME_COMMUNICATION},
        {"rcclGenericKernel",                                                      NAME_COMMUNICATION},
        {"oneccl_allreduce",                                                       NAME_COMMUNICATION},
        {"void vllm::cross_device_reduce_1stage<__half, 2>(vllm::RankData*, int)",
         NAME_COMMUNICATION                                                                          },
        {"multimem_all_reduce_kernel",                                             NAME_COMMUNICATION},
        {"void (anonymous namespace)::AllGather<4>(int)",                          NAME_COMMUNICATION},
        {"void fused::reduceScatter_kernel<int>(int)",                             NAME_COMMUNICATION},
        {"all_to_all",                                                             NAME_COMMUNICATION},
        {"alltoall",                                                               NAME_COMMUNICATION},
        {"std::enable_if<true, void>::type twoshot::allreduce<8>(int)",            NAME_COMMUNICATION},
        {"_Z22ncclDevKernel_SendRecv24ncclDevKernelArgsStorage",                   NAME_COMMUNICATION},
        {"void my_nccl_like_name(ncclFoo const*)",                                 0                 },
        {"void pack_for_send(ncclComm*, float*)",                                  0                 },
        {"void at::native::elementwise<at::all_reduce_functor>(int)",              0                 },
        {"void at::native::reduce_kernel<512, 1>(int)",                            0                 },
        {"all_of_it_reduce",                                                       0                 },
        {"gemm",                                                                   0                 },
    };
    (void)state;
    check(cases, ARRAY_LEN(cases), NAME_COMMUNICATION);
}

static void collectives_pageable_copies_and_operators_are_told(void **state)
{
    static const flag_case cases[] = {
        {"gloo:all_reduce",                           NAME_COLLECTIVE},
        {"nccl:broadcast",                            NAME_COLLECTIVE},
        {"xccl:all_gather",                           NAME_COLLECTIVE},
        {"my nccl:all_reduce",                        0              },
        {"Memcpy HtoD (Pageable -> Device)",          NAME_PAGEABLE  },
        {"Memcpy HtoD (Pinned -> Device)",            0              },
        {"aten::mm",                                  NAME_TENSOR_OP },
        {"aten::_scaled_mm",                          NAME_TENSOR_OP },
        {"ConvolutionBackward0",                      NAME_TENSOR_OP },
        {"aten::_scaled_dot_product_flash_attention", NAME_TENSOR_OP },
        {"aten::add",                                 0              },
        {"aten::mm_of_mine",                          0              },
    };
    (void)state;
    check(cases, ARRAY_LEN(cases), NAME_COLLECTIVE | NAME_PAGEABLE | NAME_TENSOR_OP);
}

static void matrix_units_are_told_from_a_kernels_name(void **state)
{
    static const struct {
        const char *name;
        tristate uses;
    } cases[] = {
        {"volta_h884gemm_128x64_ldg8_nn",                                                TRISTATE_TRUE   },
        {"turing_fp16_s1688cudnn_fp16_128x128",                                          TRISTATE_TRUE   },
        {"ampere_fp16_s16816gemm_fp16_128x64",                                           TRISTATE_TRUE   },
        {"void cutlass::Kernel<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16>()",
         TRISTATE_TRUE                                                                                   },
        {"sm80_xmma_dgrad_implicit_gemm_tf32f32_tf32f32_f32_nhwc",                       TRISTATE_TRUE   },
        {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64",                  TRISTATE_TRUE   },
        {"nvjet_hsh_128x8_64x12_1x2_h_bz_TNT",                                           TRISTATE_TRUE   },
        {"void cutlass::device_kernel<flash::FlashAttnFwdSm90<int>>(int)",               TRISTATE_TRUE   },
        {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64>>(int)",       TRISTATE_TRUE   },
        {"bmm_E4m3_E4m3E4m3_Fp32_t128x8x512u2_sm100f",                                   TRISTATE_TRUE   },
        {"fmhaSm100fKernel_QkvBfloat16OBfloat16H128",                                    TRISTATE_TRUE   },
        {"Cijk_Alik_Bljk_BBS_BH_MT96x96x128_MI16x16x1_SN",                               TRISTATE_TRUE   },
        {"igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1",                                            TRISTATE_TRUE   },
        {"void paged_attention_ll4mi_QKV_mfma16_kernel<0>(int)",                         TRISTATE_TRUE   },
        {"_ZN2ck16kernel_gemm_xdlops_bwd_weightI",                                       TRISTATE_TRUE   },
        {"volta_sgemm_128x32_nt",                                                        TRISTATE_FALSE  },
        {"void cutlass::Kernel<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>()",           TRISTATE_FALSE  },
        {"cutlass_80_simt_h884gemm",                                                     TRISTATE_FALSE  },
        {"ampere_DGEMM_64x64",                                                           TRISTATE_FALSE  },
        {"void at::native::vectorized_elementwise_kernel<4>(int)",                       TRISTATE_FALSE  },
        {"void pytorch_flash::flash_bwd_dot_do_o_kernel<true>(int)",                     TRISTATE_FALSE  },
        {"batched_transpose_16x32_half",                                                 TRISTATE_FALSE  },
        {"ncclDevKernel_AllReduce",                                                      TRISTATE_FALSE  },
        {"triton_poi_fused_addmm_gelu_view_26",                                          TRISTATE_UNKNOWN},
        {"triton__0d1d2d3d",                                                             TRISTATE_UNKNOWN},
        {"_attn_fwd",                                                                    TRISTATE_UNKNOWN},
        {"Cijk_Alik_Bljk_SB_MT64x64x8_SE",                                               TRISTATE_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (kernel_uses_tensor_cores(text_of(cases[i].name)) != cases[i].uses)
            fail_msg("%s", cases[i].name);
        const uint32_t flags = all_flags(cases[i].name);
        assert_int_equal(!!(flags & NAME_TENSOR_YES), cases[i].uses == TRISTATE_TRUE);
        assert_int_equal(!!(flags & NAME_TENSOR_NO), cases[i].uses == TRISTATE_FALSE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loaders_steps_optimizers_and_wrappers_are_told_by_their_names),
        cmocka_unit_test(calls_wait_copy_allocate_or_launch),
        cmocka_unit_test(only_a_kernels_own_name_makes_it_communication),
        cmocka_unit_test(collectives_pageable_copies_and_operators_are_told),
        cmocka_unit_test(matrix_units_are_told_from_a_kernels_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
