// SPDX-License-Identifier: BSD-3-Clause
// Matrix units: what kernel and operator names tell of them.
#include "model/tensor_names.h"

#include <ctype.h>
#include <stdint.h>
#include <strings.h>

// Never, whatever else is in the name; in any case.
static const char *const NEVER[] = {"simt", "sgemm", "dgemm"};

// Instruction shapes and generators of cuBLAS, cuDNN, CUTLASS, TensorRT-LLM; then AMD's.
static const char *const MATRIX[] = {
    // Volta to Ampere, in the order of the TensorBoard plugin
    "h884",
    "s884",
    "h1688",
    "s1688",
    "hmma",
    "i8816",
    "16816",
    "dgrad_1x1_stride_2x2",
    "first_layer_wgrad_kernel",
    "conv1x1",
    "conv2d_c1_k1",
    "direct_group",
    "xmma_implicit_gemm",
    "xmma_sparse_conv",
    "xmma_warp_specialized_implicit_gemm",
    "xmma_gemm",
    "xmma_sparse_gemm",
    "c1688",
    // what these miss: wmma and 64-bit shapes, convolutions of cuDNN 8 and later
    "tensorop",
    "TensorOp",
    "wmma",
    "161616",
    "d884",
    "16832",
    "16864",
    "imma",
    "bmma",
    "xmma_fprop",
    "xmma_dgrad",
    "xmma_wgrad",
    "tf32f32",
    // Hopper, Blackwell
    "gmma",
    "GMMA",
    "nvjet",
    "qmma",
    "utcmma",
    "UMMA",
    "tcgen05",
    "MainloopSm90",
    "MainloopSm100",
    "MainloopSm120",
    "cutlass3x_sm90",
    "cutlass3x_sm100",
    "sm90_xmma",
    "sm100_xmma",
    "deep_gemm",
    "m16n8k",
    // attention
    "flash_fwd",
    "flash_bwd",
    "FlashAttn",
    "flash_attn",
    "fmhaSm",
    "fmha_v2",
    "fmha_fwd",
    "fmha_bwd",
    "FmhaFwd",
    "FmhaBwd",
    "fmha_cutlassF_f16",
    "fmha_cutlassF_bf16",
    "fmha_cutlassB_f16",
    "fmha_cutlassB_bf16",
    // TensorRT-LLM's batched products by their types
    "bmm_E4m3",
    "bmm_E2m1",
    "bmm_MxE4m3",
    "bmm_MxE2m1",
    "bmm_Bfloat16",
    "bmm_Fp16",
    "gemm_E4m3",
    "gemm_E2m1",
    "gemm_Bfloat16",
    "gemm_Fp16",
    // AMD: MFMA, composable kernels, implicit products of MIOpen
    "mfma",
    "xdlops",
    "_xdl_",
    "gtcx",
};

// Helpers of matrix kernels that share their names.
static const char *const HELPERS[] = {"dot_do_o", "convert_dq", "convert_dkv", "combine_kernel",
                                      "CombineKernel"};

// What kernels of no matrix product are called; in any case.
static const char *const OTHER_WORK[] = {
    "transpose",  "elementwise", "copy",   "cast", "fill",  "memset", "memcpy",   "norm",
    "softmax",    "topk",        "sort",   "scan", "embed", "gather", "scatter",  "pool",
    "activation", "dropout",     "rotary", "rope", "quant", "argmax", "sampling", "im2",
    "col2im",     "subtensor",   "scudnn", "nccl", "rccl",  "reduce", "winograd",
};

static const char *const OPERATORS[] = {
    // the TensorBoard plugin's list
    "aten::_convolution",
    "aten::conv1d",
    "aten::conv2d",
    "aten::conv3d",
    "aten::conv_tbc",
    "aten::conv_transpose1d",
    "aten::conv_transpose2d",
    "aten::conv_transpose3d",
    "aten::convolution",
    "aten::cudnn_convolution",
    "aten::cudnn_convolution_transpose",
    "aten::prelu",
    "aten::addmm",
    "aten::addmv",
    "aten::addr",
    "aten::matmul",
    "aten::mm",
    "aten::mv",
    "aten::linear",
    "aten::addbmm",
    "aten::baddbmm",
    "aten::bmm",
    "aten::chain_matmul",
    "aten::linalg_multi_dot",
    "aten::_thnn_fused_lstm_cell",
    "aten::_thnn_fused_gru_cell",
    "aten::lstm_cell",
    "aten::gru_cell",
    "aten::rnn_tanh_cell",
    "aten::rnn_relu_cell",
    "aten::cudnn_convolution_transpose_backward",
    "aten::cudnn_convolution_backward_weight",
    "aten::addmm_",
    "aten::cudnn_convolution_transpose_backward_weight",
    "aten::cudnn_convolution_transpose_backward_input",
    "aten::cudnn_convolution_backward_input",
    "aten::cudnn_convolution_backward",
    "CudnnConvolutionBackward",
    "BmmBackward0",
    "CudnnConvolutionTransposeBackward",
    "MmBackward",
    "AddmvBackward",
    "MvBackward",
    "AddmmBackward",
    "AddbmmBackward",
    // today's names of the same
    "MmBackward0",
    "AddmmBackward0",
    "BaddbmmBackward0",
    "AddbmmBackward0",
    "AddmvBackward0",
    "MvBackward0",
    "BmmBackward",
    "BaddbmmBackward",
    "LinearBackward0",
    "ConvolutionBackward0",
    "CudnnConvolutionBackward0",
    "MiopenConvolutionBackward0",
    "aten::convolution_backward",
    "aten::convolution_overrideable",
    "aten::cudnn_convolution_relu",
    "aten::cudnn_convolution_add_relu",
    "aten::miopen_convolution",
    "aten::miopen_convolution_transpose",
    "aten::miopen_convolution_relu",
    "aten::einsum",
    "aten::tensordot",
    "aten::inner",
    "aten::baddbmm_",
    "aten::addbmm_",
    "aten::addmv_",
    "aten::linalg_matmul",
    "aten::linear_backward",
    "aten::matmul_backward",
    "aten::_addmm_activation",
    "aten::bilinear",
    "aten::_trilinear",
    // low precision and grouped products
    "aten::_scaled_mm",
    "aten::_scaled_mm_v2",
    "aten::_scaled_grouped_mm",
    "aten::_grouped_mm",
    "aten::_int_mm",
    "aten::_weight_int4pack_mm",
    "aten::_weight_int8pack_mm",
    "aten::_cslt_sparse_mm",
    "aten::_sparse_semi_structured_mm",
    // attention
    "aten::scaled_dot_product_attention",
    "aten::_scaled_dot_product_flash_attention",
    "aten::_scaled_dot_product_flash_attention_backward",
    "aten::_scaled_dot_product_efficient_attention",
    "aten::_scaled_dot_product_efficient_attention_backward",
    "aten::_scaled_dot_product_cudnn_attention",
    "aten::_scaled_dot_product_cudnn_attention_backward",
    "aten::_scaled_dot_product_attention_math",
    "aten::_flash_attention_forward",
    "aten::_flash_attention_backward",
    "aten::_efficient_attention_forward",
    "aten::_efficient_attention_backward",
    "aten::_cudnn_attention_forward",
    "aten::_cudnn_attention_backward",
    "aten::_native_multi_head_attention",
    "aten::_transformer_encoder_layer_fwd",
    "ScaledDotProductFlashAttentionBackward0",
    "ScaledDotProductEfficientAttentionBackward0",
    "ScaledDotProductCudnnAttentionBackward0",
    "flash_attn::_flash_attn_forward",
    "flash_attn::_flash_attn_backward",
    "flash_attn::_flash_attn_varlen_forward",
    "flash_attn::_flash_attn_varlen_backward",
    "FlashAttnFunc",
    "FlashAttnFuncBackward",
    "FlashAttnVarlenFunc",
    "FlashAttnVarlenFuncBackward",
    "FlashAttnQKVPackedFunc",
    "vllm::unified_attention",
    "vllm::unified_attention_with_output",
    // recurrent layers in one call
    "aten::_cudnn_rnn",
    "aten::_cudnn_rnn_backward",
    "aten::miopen_rnn",
    "aten::miopen_rnn_backward",
    "aten::lstm",
    "aten::gru",
    "aten::rnn_tanh",
    "aten::rnn_relu",
    "CudnnRnnBackward0",
};

enum { WORDS_MAX = 128 };

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static bool begins_with(text name, const char *word, bool any_case)
{
    const size_t length = strlen(word);
    return name.length >= length && (any_case ? strncasecmp(name.at, word, length) == 0
                                              : memcmp(name.at, word, length) == 0);
}

// Names are up to thousands of bytes long and words many, so words are looked up by first letters.
static bool holds_any(text name, const char *const *words, size_t count, bool any_case)
{
    uint8_t first[256] = {0}, next[WORDS_MAX]; // 1 + index of a word; 0: none
    for (size_t i = 0; i < count; i++) {
        next[i] = first[(unsigned char)words[i][0]];
        first[(unsigned char)words[i][0]] = (uint8_t)(i + 1);
    }
    for (size_t i = 0; i < name.length; i++) {
        const unsigned char c = any_case ? lower(name.at[i]) : (unsigned char)name.at[i];
        for (uint8_t word = first[c]; word; word = next[word - 1])
            if (begins_with((text){name.at + i, name.length - i}, words[word - 1], any_case))
                return true;
    }
    return false;
}

#define HOLDS_ANY(name, words, any_case) holds_any((name), (words), ARRAY_LEN(words), (any_case))

_Static_assert(ARRAY_LEN(MATRIX) <= WORDS_MAX && ARRAY_LEN(OTHER_WORK) <= WORDS_MAX,
               "words must fit their index");

// hipBLASLt and Tensile write the instruction into the name: ..._MT96x96x128_MI16x16x1_...
static bool is_tensile_mfma(text name)
{
    const char *mi =
        text_starts(name, TEXT("Cijk_")) ? memmem(name.at, name.length, "_MI", 3) : NULL;
    return mi && mi + 3 < name.at + name.length && isdigit((unsigned char)mi[3]);
}

// A plain or mangled identifier: not a demangled C++ function, whose types would have told.
static bool is_bare_identifier(text name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!isalnum((unsigned char)name.at[i]) && name.at[i] != '_')
            return false;
    return true;
}

tristate kernel_uses_tensor_cores(text name)
{
    if (HOLDS_ANY(name, NEVER, true) || HOLDS_ANY(name, HELPERS, false))
        return TRISTATE_FALSE;
    if (text_starts(name, TEXT("triton")))
        return TRISTATE_UNKNOWN; // its names are made from operators, not from instructions
    if (is_tensile_mfma(name) || HOLDS_ANY(name, MATRIX, false))
        return TRISTATE_TRUE;
    if (!is_bare_identifier(name) || HOLDS_ANY(name, OTHER_WORK, true))
        return TRISTATE_FALSE;
    return TRISTATE_UNKNOWN;
}

bool operator_may_use_tensor_cores(text name)
{
    for (size_t i = 0; i < ARRAY_LEN(OPERATORS); i++)
        if (text_equal(name, text_of(OPERATORS[i])))
            return true;
    return false;
}
