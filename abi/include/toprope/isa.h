/* AI Core instructions of dav-2201. Generated from abi/src/isa; do not edit. */
#ifndef TOPROPE_ISA_H
#define TOPROPE_ISA_H

#include <stdint.h>

#define TR_PIPE_S 0u
#define TR_PIPE_V 1u
#define TR_PIPE_M 2u
#define TR_PIPE_MTE1 3u
#define TR_PIPE_MTE2 4u
#define TR_PIPE_MTE3 5u
#define TR_PIPE_ALL 6u
#define TR_PIPE_FIX 10u

#define TR_SPACE_GM 0u
#define TR_SPACE_BT 1u
#define TR_SPACE_L1 2u
#define TR_SPACE_L0A 3u
#define TR_SPACE_L0B 4u
#define TR_SPACE_L0C 5u
#define TR_SPACE_UB 6u
#define TR_SPACE_FB 7u

#define TR_SPR_CTRL 0u
#define TR_SPR_MASK_LOW 1u
#define TR_SPR_MASK_HIGH 2u
#define TR_SPR_PAD_VALUE 3u
#define TR_SPR_DEQ_SCALE 4u
#define TR_SPR_L1_SIZE_3D 5u
#define TR_SPR_PADDING 6u
#define TR_SPR_SYS_CNT 7u
#define TR_SPR_FMATRIX_A 8u
#define TR_SPR_FMATRIX_B 9u
#define TR_SPR_LOAD_3D_REPEAT 10u
#define TR_SPR_FPC 11u
#define TR_SPR_QUANT_PRE 12u
#define TR_SPR_ND_PARA 13u
#define TR_SPR_ACC_VAL 14u
#define TR_SPR_MAX_MIN_CNT 15u
#define TR_SPR_CMP_MASK_LOW 16u
#define TR_SPR_CMP_MASK_HIGH 17u
#define TR_SPR_RSVD_CNT 18u
#define TR_SPR_VMS4_SR 19u
#define TR_SPR_FFTS_BASE_ADDR 20u
#define TR_SPR_ST_ATOMIC_CFG 21u

#define TR_CTRL_ATOMIC_TYPE_LO 6u
#define TR_CTRL_ATOMIC_OP_LO 9u
#define TR_CTRL_HF32 46u
#define TR_CTRL_HF32_TO_ZERO 47u
#define TR_CTRL_INF_NAN 48u
#define TR_CTRL_MM_ROW_MAJOR 51u
#define TR_CTRL_MASK_COUNTER 56u
#define TR_CTRL_CAST_TRUNCATE 59u

#define TR_OP_VADD_F16 0u
#define TR_OP_VADD_F32 1u
#define TR_OP_VADD_S16 2u
#define TR_OP_VADD_S32 3u
#define TR_OP_VSUB_F16 4u
#define TR_OP_VSUB_F32 5u
#define TR_OP_VSUB_S16 6u
#define TR_OP_VSUB_S32 7u
#define TR_OP_VMUL_F16 8u
#define TR_OP_VMUL_F32 9u
#define TR_OP_VMUL_S16 10u
#define TR_OP_VMUL_S32 11u
#define TR_OP_VMAX_F16 12u
#define TR_OP_VMAX_F32 13u
#define TR_OP_VMAX_S16 14u
#define TR_OP_VMAX_S32 15u
#define TR_OP_VMIN_F16 16u
#define TR_OP_VMIN_F32 17u
#define TR_OP_VMIN_S16 18u
#define TR_OP_VMIN_S32 19u
#define TR_OP_VDIV_F16 20u
#define TR_OP_VDIV_F32 21u
#define TR_OP_VAND_S16 22u
#define TR_OP_VAND_U16 23u
#define TR_OP_VOR_S16 24u
#define TR_OP_VOR_U16 25u
#define TR_OP_VADDS_F16 26u
#define TR_OP_VADDS_F32 27u
#define TR_OP_VADDS_S16 28u
#define TR_OP_VADDS_S32 29u
#define TR_OP_VMULS_F16 30u
#define TR_OP_VMULS_F32 31u
#define TR_OP_VMULS_S16 32u
#define TR_OP_VMULS_S32 33u
#define TR_OP_VMAXS_F16 34u
#define TR_OP_VMAXS_F32 35u
#define TR_OP_VMAXS_S16 36u
#define TR_OP_VMAXS_S32 37u
#define TR_OP_VMINS_F16 38u
#define TR_OP_VMINS_F32 39u
#define TR_OP_VMINS_S16 40u
#define TR_OP_VMINS_S32 41u
#define TR_OP_VLRELU_F16 42u
#define TR_OP_VLRELU_F32 43u
#define TR_OP_VSHL_S16 44u
#define TR_OP_VSHL_U16 45u
#define TR_OP_VSHL_S32 46u
#define TR_OP_VSHL_U32 47u
#define TR_OP_VSHR_S16 48u
#define TR_OP_VSHR_U16 49u
#define TR_OP_VSHR_S32 50u
#define TR_OP_VSHR_U32 51u
#define TR_OP_VABS_F16 52u
#define TR_OP_VABS_F32 53u
#define TR_OP_VRELU_F16 54u
#define TR_OP_VRELU_F32 55u
#define TR_OP_VRELU_S32 56u
#define TR_OP_VEXP_F16 57u
#define TR_OP_VEXP_F32 58u
#define TR_OP_VLN_F16 59u
#define TR_OP_VLN_F32 60u
#define TR_OP_VSQRT_F16 61u
#define TR_OP_VSQRT_F32 62u
#define TR_OP_VRSQRT_F16 63u
#define TR_OP_VRSQRT_F32 64u
#define TR_OP_VREC_F16 65u
#define TR_OP_VREC_F32 66u
#define TR_OP_VNOT_S16 67u
#define TR_OP_VNOT_U16 68u
#define TR_OP_VCONV_S42F16_V220 69u
#define TR_OP_VCONV_S82F16_V220 70u
#define TR_OP_VCONV_U82F16_V220 71u
#define TR_OP_VCONV_F162S4R_V220 72u
#define TR_OP_VCONV_F162S4A_V220 73u
#define TR_OP_VCONV_F162S4F_V220 74u
#define TR_OP_VCONV_F162S4C_V220 75u
#define TR_OP_VCONV_F162S4Z_V220 76u
#define TR_OP_VCONV_F162S8R_V220 77u
#define TR_OP_VCONV_F162S8A_V220 78u
#define TR_OP_VCONV_F162S8F_V220 79u
#define TR_OP_VCONV_F162S8C_V220 80u
#define TR_OP_VCONV_F162S8Z_V220 81u
#define TR_OP_VCONV_F162U8R_V220 82u
#define TR_OP_VCONV_F162U8A_V220 83u
#define TR_OP_VCONV_F162U8F_V220 84u
#define TR_OP_VCONV_F162U8C_V220 85u
#define TR_OP_VCONV_F162U8Z_V220 86u
#define TR_OP_VCONV_S162F16R_V220 87u
#define TR_OP_VCONV_S162F16A_V220 88u
#define TR_OP_VCONV_S162F16F_V220 89u
#define TR_OP_VCONV_S162F16C_V220 90u
#define TR_OP_VCONV_S162F16Z_V220 91u
#define TR_OP_VCONV_S162F32_V220 92u
#define TR_OP_VCONV_S322S16_V220 93u
#define TR_OP_VCONV_S322F32R_V220 94u
#define TR_OP_VCONV_S322F32A_V220 95u
#define TR_OP_VCONV_S322F32F_V220 96u
#define TR_OP_VCONV_S322F32C_V220 97u
#define TR_OP_VCONV_S322F32Z_V220 98u
#define TR_OP_VCONV_S322S64_1_V220 99u
#define TR_OP_VCONV_F162S16R_V220 100u
#define TR_OP_VCONV_F162S16A_V220 101u
#define TR_OP_VCONV_F162S16F_V220 102u
#define TR_OP_VCONV_F162S16C_V220 103u
#define TR_OP_VCONV_F162S16Z_V220 104u
#define TR_OP_VCONV_F162S32R_V220 105u
#define TR_OP_VCONV_F162S32A_V220 106u
#define TR_OP_VCONV_F162S32F_V220 107u
#define TR_OP_VCONV_F162S32C_V220 108u
#define TR_OP_VCONV_F162S32Z_V220 109u
#define TR_OP_VCONV_F162F32_V220 110u
#define TR_OP_VCONV_BF162S32R_V220 111u
#define TR_OP_VCONV_BF162S32A_V220 112u
#define TR_OP_VCONV_BF162S32F_V220 113u
#define TR_OP_VCONV_BF162S32C_V220 114u
#define TR_OP_VCONV_BF162S32Z_V220 115u
#define TR_OP_VCONV_BF162F32_V220 116u
#define TR_OP_VCONV_F322S16R_V220 117u
#define TR_OP_VCONV_F322S16A_V220 118u
#define TR_OP_VCONV_F322S16F_V220 119u
#define TR_OP_VCONV_F322S16C_V220 120u
#define TR_OP_VCONV_F322S16Z_V220 121u
#define TR_OP_VCONV_F322S32R_V220 122u
#define TR_OP_VCONV_F322S32A_V220 123u
#define TR_OP_VCONV_F322S32F_V220 124u
#define TR_OP_VCONV_F322S32C_V220 125u
#define TR_OP_VCONV_F322S32Z_V220 126u
#define TR_OP_VCONV_F322F16R_V220 127u
#define TR_OP_VCONV_F322F16A_V220 128u
#define TR_OP_VCONV_F322F16F_V220 129u
#define TR_OP_VCONV_F322F16C_V220 130u
#define TR_OP_VCONV_F322F16Z_V220 131u
#define TR_OP_VCONV_F322F16O_V220 132u
#define TR_OP_VCONV_F322BF16R_V220 133u
#define TR_OP_VCONV_F322BF16A_V220 134u
#define TR_OP_VCONV_F322BF16F_V220 135u
#define TR_OP_VCONV_F322BF16C_V220 136u
#define TR_OP_VCONV_F322BF16Z_V220 137u
#define TR_OP_VCONV_F322F32R_V220 138u
#define TR_OP_VCONV_F322F32A_V220 139u
#define TR_OP_VCONV_F322F32F_V220 140u
#define TR_OP_VCONV_F322F32C_V220 141u
#define TR_OP_VCONV_F322F32Z_V220 142u
#define TR_OP_VCONV_F322S64R_V220 143u
#define TR_OP_VCONV_F322S64A_V220 144u
#define TR_OP_VCONV_F322S64F_V220 145u
#define TR_OP_VCONV_F322S64C_V220 146u
#define TR_OP_VCONV_F322S64Z_V220 147u
#define TR_OP_VCONV_S642S32_1_V220 148u
#define TR_OP_VCONV_S642F32R_1_V220 149u
#define TR_OP_VCONV_S642F32A_1_V220 150u
#define TR_OP_VCONV_S642F32F_1_V220 151u
#define TR_OP_VCONV_S642F32C_1_V220 152u
#define TR_OP_VCONV_S642F32Z_1_V220 153u
#define TR_OP_VCONV_DEQ_S322F16 154u
#define TR_OP_MOVEV_BF16 155u
#define TR_OP_MOVEV_F16 156u
#define TR_OP_MOVEV_F32 157u
#define TR_OP_MOVEV_S16 158u
#define TR_OP_MOVEV_S32 159u
#define TR_OP_MOVEV_U16 160u
#define TR_OP_MOVEV_U32 161u
#define TR_OP_VBRCB_B16 162u
#define TR_OP_VBRCB_B32 163u
#define TR_OP_VCOPY_U16 164u
#define TR_OP_VCOPY_U32 165u
#define TR_OP_MOV_UB_TO_UB_V220 166u
#define TR_OP_MOV_OUT_TO_UB_V220 167u
#define TR_OP_MOV_UB_TO_OUT_V220 168u
#define TR_OP_MOV_OUT_TO_UB_ALIGN_B8_V220 169u
#define TR_OP_MOV_OUT_TO_UB_ALIGN_B16_V220 170u
#define TR_OP_MOV_OUT_TO_UB_ALIGN_B32_V220 171u
#define TR_OP_MOV_UB_TO_OUT_ALIGN_B8_V220 172u
#define TR_OP_MOV_UB_TO_OUT_ALIGN_B16_V220 173u
#define TR_OP_MOV_UB_TO_OUT_ALIGN_B32_V220 174u
#define TR_OP_SET_FLAG_IMM 175u
#define TR_OP_WAIT_FLAG_IMM 176u
#define TR_OP_BARRIER 177u
#define TR_OP_MOVEMASK 178u
#define TR_OP_SET_CTRL 179u
#define TR_OP_SBITSET0 180u
#define TR_OP_SBITSET1 181u
#define TR_OP_SET_MOV_PAD_VAL 182u
#define TR_OP_SET_DEQSCALE 183u
#define TR_OP_SET_L1_3D_SIZE 184u
#define TR_OP_SET_PADDING 185u
#define TR_OP_VCMPV_LT_F16 186u
#define TR_OP_VCMPV_LT_F32 187u
#define TR_OP_VCMPV_GT_F16 188u
#define TR_OP_VCMPV_GT_F32 189u
#define TR_OP_VCMPV_EQ_F16 190u
#define TR_OP_VCMPV_EQ_F32 191u
#define TR_OP_VCMPV_EQ_S32 192u
#define TR_OP_VCMPV_LE_F16 193u
#define TR_OP_VCMPV_LE_F32 194u
#define TR_OP_VCMPV_GE_F16 195u
#define TR_OP_VCMPV_GE_F32 196u
#define TR_OP_VCMPV_NE_F16 197u
#define TR_OP_VCMPV_NE_F32 198u
#define TR_OP_VCMPVS_LT_F16 199u
#define TR_OP_VCMPVS_LT_F32 200u
#define TR_OP_VCMPVS_GT_F16 201u
#define TR_OP_VCMPVS_GT_F32 202u
#define TR_OP_VCMPVS_EQ_F16 203u
#define TR_OP_VCMPVS_EQ_F32 204u
#define TR_OP_VCMPVS_EQ_S32 205u
#define TR_OP_VCMPVS_LE_F16 206u
#define TR_OP_VCMPVS_LE_F32 207u
#define TR_OP_VCMPVS_GE_F16 208u
#define TR_OP_VCMPVS_GE_F32 209u
#define TR_OP_VCMPVS_NE_F16 210u
#define TR_OP_VCMPVS_NE_F32 211u
#define TR_OP_VCMP_LT_F16 212u
#define TR_OP_VCMP_LT_F32 213u
#define TR_OP_VCMP_GT_F16 214u
#define TR_OP_VCMP_GT_F32 215u
#define TR_OP_VCMP_EQ_F16 216u
#define TR_OP_VCMP_EQ_F32 217u
#define TR_OP_VCMP_LE_F16 218u
#define TR_OP_VCMP_LE_F32 219u
#define TR_OP_VCMP_GE_F16 220u
#define TR_OP_VCMP_GE_F32 221u
#define TR_OP_VCMP_NE_F16 222u
#define TR_OP_VCMP_NE_F32 223u
#define TR_OP_VSEL_F16_1 224u
#define TR_OP_VSEL_F32_1 225u
#define TR_OP_SET_CMPMASK 226u
#define TR_OP_GET_CMPMASK 227u
#define TR_OP_VCADD_F16_ORDER 228u
#define TR_OP_VCADD_F32_ORDER 229u
#define TR_OP_VCMAX_F16_ORDER_V220 230u
#define TR_OP_VCMAX_F32_ORDER_V220 231u
#define TR_OP_VCMIN_F16_ORDER_V220 232u
#define TR_OP_VCMIN_F32_ORDER_V220 233u
#define TR_OP_VCGADD_F16 234u
#define TR_OP_VCGADD_F32 235u
#define TR_OP_VCGMAX_F16 236u
#define TR_OP_VCGMAX_F32 237u
#define TR_OP_VCGMIN_F16 238u
#define TR_OP_VCGMIN_F32 239u
#define TR_OP_VCPADD_F16 240u
#define TR_OP_VCPADD_F32 241u
#define TR_OP_VGATHER_B16 242u
#define TR_OP_VGATHER_B32 243u
#define TR_OP_VGATHERB_B16 244u
#define TR_OP_VGATHERB_B32 245u
#define TR_OP_VREDUCEV2_B16 246u
#define TR_OP_VREDUCEV2_B32 247u
#define TR_OP_VAXPY_F16 248u
#define TR_OP_VAXPY_F32 249u
#define TR_OP_VAXPY_F162F32 250u
#define TR_OP_VMLA_F16 251u
#define TR_OP_VMLA_F32 252u
#define TR_OP_VMLA_F162F32 253u
#define TR_OP_VMADD_F16 254u
#define TR_OP_VMADD_F32 255u
#define TR_OP_VMADDRELU_F16 256u
#define TR_OP_VMADDRELU_F32 257u
#define TR_OP_VADDRELU_F16 258u
#define TR_OP_VADDRELU_F32 259u
#define TR_OP_VADDRELU_S16 260u
#define TR_OP_VSUBRELU_F16 261u
#define TR_OP_VSUBRELU_F32 262u
#define TR_OP_VSUBRELU_S16 263u
#define TR_OP_VADDRELUCONV_F322F16 264u
#define TR_OP_VADDRELUCONV_F162S8 265u
#define TR_OP_VADDRELUCONV_S162S8 266u
#define TR_OP_VSUBRELUCONV_F322F16 267u
#define TR_OP_VSUBRELUCONV_F162S8 268u
#define TR_OP_VSUBRELUCONV_S162S8 269u
#define TR_OP_VMULCONV_F162S8 270u
#define TR_OP_VMULCONV_F162U8 271u
#define TR_OP_VCONV_DEQ_S162S8H 272u
#define TR_OP_VCONV_DEQ_S162S8L 273u
#define TR_OP_VCONV_DEQ_S162U8H 274u
#define TR_OP_VCONV_DEQ_S162U8L 275u
#define TR_OP_VCONV_VDEQ_S162S8H 276u
#define TR_OP_VCONV_VDEQ_S162S8L 277u
#define TR_OP_VCONV_VDEQ_S162U8H 278u
#define TR_OP_VCONV_VDEQ_S162U8L 279u
#define TR_OP_VSHR_S16_ROUND 280u
#define TR_OP_VSHR_S32_ROUND 281u
#define TR_OP_VTRANSPOSE_B16 282u
#define TR_OP_MOVEVA 283u
#define TR_OP_S_VNCHWCONV_B8 284u
#define TR_OP_S_VNCHWCONV_B16 285u
#define TR_OP_S_VNCHWCONV_B32 286u
#define TR_OP_VBS32_F16 287u
#define TR_OP_VBS32_F32 288u
#define TR_OP_VMRGSORT_F16_V220 289u
#define TR_OP_VMRGSORT_F32_V220 290u
#define TR_OP_SET_CROSS_CORE 291u
#define TR_OP_WAIT_FLAG_DEV_REG 292u
#define TR_OP_DCCI 293u
#define TR_OP_DC_PRELOAD 294u
#define TR_OP_DSB 295u
#define TR_OP_SET_DATA_EXP 296u
#define TR_OP_SET_ST_ATOMIC_CFG 297u
#define TR_OP_MOV_OUT_TO_L1_V220 298u
#define TR_OP_MOV_L1_TO_OUT_V220_CUBE 299u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_S8 300u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_U8 301u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_F16 302u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_BF16 303u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_S16 304u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_U16 305u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_F32S 306u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_S32S 307u
#define TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_U32S 308u
#define TR_OP_LOAD_L1_TO_L0A_2D_V220_S4_ADDR 309u
#define TR_OP_LOAD_L1_TO_L0A_2D_V220_S8_ADDR 310u
#define TR_OP_LOAD_L1_TO_L0A_2D_V220_U8_ADDR 311u
#define TR_OP_LOAD_L1_TO_L0A_2D_V220_F16_ADDR 312u
#define TR_OP_LOAD_L1_TO_L0A_2D_V220_BF16_ADDR 313u
#define TR_OP_LOAD_L1_TO_L0A_2D_V220_F32_ADDR 314u
#define TR_OP_LOAD_L1_TO_L0A_2D_V220_S32_ADDR 315u
#define TR_OP_LOAD_L1_TO_L0A_2D_V220_U32_ADDR 316u
#define TR_OP_LOAD_L1_TO_L0B_2D_V220_S4_ADDR 317u
#define TR_OP_LOAD_L1_TO_L0B_2D_V220_S8_ADDR 318u
#define TR_OP_LOAD_L1_TO_L0B_2D_V220_U8_ADDR 319u
#define TR_OP_LOAD_L1_TO_L0B_2D_V220_F16_ADDR 320u
#define TR_OP_LOAD_L1_TO_L0B_2D_V220_BF16_ADDR 321u
#define TR_OP_LOAD_L1_TO_L0B_2D_V220_F32_ADDR 322u
#define TR_OP_LOAD_L1_TO_L0B_2D_V220_S32_ADDR 323u
#define TR_OP_LOAD_L1_TO_L0B_2D_V220_U32_ADDR 324u
#define TR_OP_LOAD_OUT_TO_L1_2D_B8 325u
#define TR_OP_LOAD_OUT_TO_L1_2D_B16 326u
#define TR_OP_LOAD_OUT_TO_L1_2D_B32 327u
#define TR_OP_LOAD_OUT_TO_L0A_2D_B8 328u
#define TR_OP_LOAD_OUT_TO_L0A_2D_B16 329u
#define TR_OP_LOAD_OUT_TO_L0A_2D_B32 330u
#define TR_OP_LOAD_OUT_TO_L0B_2D_B8 331u
#define TR_OP_LOAD_OUT_TO_L0B_2D_B16 332u
#define TR_OP_LOAD_OUT_TO_L0B_2D_B32 333u
#define TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_S8 334u
#define TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_U8 335u
#define TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_F16 336u
#define TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_BF16 337u
#define TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_F32 338u
#define TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_S32 339u
#define TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_U32 340u
#define TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_S4 341u
#define TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_S8 342u
#define TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_U8 343u
#define TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_F16 344u
#define TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_BF16 345u
#define TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_F32 346u
#define TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_S32 347u
#define TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_U32 348u
#define TR_OP_LOAD_L1_TO_L0B_2D_SPARSE_S8 349u
#define TR_OP_LOAD_L1_TO_L0A_3DV2_S4 350u
#define TR_OP_LOAD_L1_TO_L0A_3DV2_S8 351u
#define TR_OP_LOAD_L1_TO_L0A_3DV2_U8 352u
#define TR_OP_LOAD_L1_TO_L0A_3DV2_F16 353u
#define TR_OP_LOAD_L1_TO_L0A_3DV2_F32 354u
#define TR_OP_LOAD_L1_TO_L0A_3DV2_S32 355u
#define TR_OP_LOAD_L1_TO_L0A_3DV2_U32 356u
#define TR_OP_LOAD_L1_TO_L0B_3DV2_F16 357u
#define TR_OP_LOAD_L1_TO_L0B_3DV2_F32 358u
#define TR_OP_LOAD_L1_TO_L0B_3DV2_S32 359u
#define TR_OP_LOAD_L1_TO_L0B_3DV2_U32 360u
#define TR_OP_CREATE_CBUF_MATRIX_F16_H 361u
#define TR_OP_CREATE_CBUF_MATRIX_BF16_ORI 362u
#define TR_OP_CREATE_CBUF_MATRIX_V2_U16 363u
#define TR_OP_CREATE_CBUF_MATRIX_V2_U32 364u
#define TR_OP_CREATE_CA_MATRIX_F16_H 365u
#define TR_OP_CREATE_CA_MATRIX_BF16_ORI 366u
#define TR_OP_CREATE_CA_MATRIX_V2_U16 367u
#define TR_OP_CREATE_CA_MATRIX_V2_U32 368u
#define TR_OP_CREATE_CB_MATRIX_F16_H 369u
#define TR_OP_CREATE_CB_MATRIX_BF16_ORI 370u
#define TR_OP_CREATE_CB_MATRIX_V2_U16 371u
#define TR_OP_CREATE_CB_MATRIX_V2_U32 372u
#define TR_OP_MOV_L1_TO_BT 373u
#define TR_OP_MOV_L1_TO_FB_V220 374u
#define TR_OP_SET_FMATRIX 375u
#define TR_OP_SET_FMATRIX_B 376u
#define TR_OP_SET_L3D_RPT 377u
#define TR_OP_MAD_F162F32 378u
#define TR_OP_MAD_BF162F32 379u
#define TR_OP_MAD_F322F32 380u
#define TR_OP_MAD_S8 381u
#define TR_OP_MAD_S4 382u
#define TR_OP_MAD_SP_S8 383u
#define TR_OP_FIX_L0C_TO_OUT_F32 384u
#define TR_OP_FIX_L0C_TO_OUT_S32 385u
#define TR_OP_FIX_L0C_TO_OUT_F2H 386u
#define TR_OP_FIX_L0C_TO_OUT_F322BF16 387u
#define TR_OP_FIX_L0C_TO_OUT_F322S8 388u
#define TR_OP_FIX_L0C_TO_OUT_F322U8 389u
#define TR_OP_FIX_L0C_TO_OUT_S322F16 390u
#define TR_OP_FIX_L0C_TO_OUT_S322S8 391u
#define TR_OP_FIX_L0C_TO_OUT_S322U8 392u
#define TR_OP_FIX_L0C_TO_L1_F2H 393u
#define TR_OP_FIX_L0C_TO_L1_F322BF16 394u
#define TR_OP_FIX_L0C_TO_L1_F322S8 395u
#define TR_OP_FIX_L0C_TO_L1_F322U8 396u
#define TR_OP_FIX_L0C_TO_L1_S322F16 397u
#define TR_OP_FIX_L0C_TO_L1_S322S8 398u
#define TR_OP_FIX_L0C_TO_L1_S322U8 399u
#define TR_OP_SET_FPC 400u
#define TR_OP_SET_QUANT_PRE 401u
#define TR_OP_SET_ND_PARA 402u
#define TR_OP_COUNT 403u

#define TR_FIELD_DST_BLOCK_STRIDE 0u /* block stride of the destination */
#define TR_FIELD_SRC0_BLOCK_STRIDE 1u /* block stride of the first source */
#define TR_FIELD_SRC1_BLOCK_STRIDE 2u /* block stride of the second source */
#define TR_FIELD_DST_REPEAT_STRIDE 3u /* repeat stride of the destination */
#define TR_FIELD_SRC0_REPEAT_STRIDE 4u /* repeat stride of the first source */
#define TR_FIELD_SRC1_REPEAT_STRIDE 5u /* repeat stride of the second source */
#define TR_FIELD_REPEAT_TIMES 6u /* number of repeats */
#define TR_FIELD_SID 7u /* stream id of the copy (0) */
#define TR_FIELD_BURST_COUNT 8u /* number of bursts (blockCount) */
#define TR_FIELD_BURST_LEN 9u /* length of one burst (blockLen) */
#define TR_FIELD_SRC_GAP 10u /* gap between bursts at the source (tail to head) */
#define TR_FIELD_DST_GAP 11u /* gap between bursts at the destination (tail to head) */
#define TR_FIELD_LEFT_PAD 12u /* elements padded on the left */
#define TR_FIELD_RIGHT_PAD 13u /* elements padded on the right */
#define TR_FIELD_EVENT_ID 14u /* event id */
#define TR_FIELD_MASK_LENGTH 15u /* number of elements a mask selects */
#define TR_FIELD_WATCH_START 16u /* block before the first one watched (startAddr) */
#define TR_FIELD_WATCH_END 17u /* last block watched (endAddr) */
#define TR_FIELD_WATCH_UNITS 18u /* accesses watched */
#define TR_FIELD_WATCH_ENABLE 19u /* whether it is on */
#define TR_FIELD_WATCH_NUMBER 20u /* number of the watch (enableBit) */
#define TR_FIELD_PREFETCH_LEN 21u /* instructions to prefetch (preFetchLen), in 2 KiB */
#define TR_FIELD_ND_NUM 22u /* number of matrices (ndNum) */
#define TR_FIELD_N_VALUE 23u /* rows of a matrix (nValue) */
#define TR_FIELD_D_VALUE 24u /* elements of a row (dValue) */
#define TR_FIELD_SRC_MATRIX_STRIDE 25u /* stride between source matrices (srcNdMatrixStride) */
#define TR_FIELD_SRC_D_VALUE 26u /* stride between source rows (srcDValue) */
#define TR_FIELD_DST_C0_STRIDE 27u /* stride between column blocks at the destination (dstNzC0Stride) */
#define TR_FIELD_DST_N_STRIDE 28u /* stride between rows at the destination (dstNzNStride) */
#define TR_FIELD_DST_MATRIX_STRIDE 29u /* stride between destination matrices (dstNzMatrixStride) */
#define TR_FIELD_SRC_N_STRIDE 30u /* stride between column blocks at the source (srcNStride) */
#define TR_FIELD_DST_D_STRIDE 31u /* stride between rows at the destination (dstDStride) */
#define TR_FIELD_START_INDEX 32u /* index of the first fractal (startIndex) */
#define TR_FIELD_SRC_STRIDE 33u /* stride between fractals at the source (srcStride) */
#define TR_FIELD_IF_TRANSPOSE 34u /* transposition of each fractal (ifTranspose) */
#define TR_FIELD_ADDR_MODE 35u /* direction of the source index (addrMode) */
#define TR_FIELD_M_SIZE 36u /* rows (m) */
#define TR_FIELD_K_SIZE 37u /* depth (k) */
#define TR_FIELD_N_SIZE 38u /* columns (n) */
#define TR_FIELD_C_SOURCE 39u /* block that C starts from */
#define TR_FIELD_UNIT_FLAG 40u /* unitFlag */
#define TR_FIELD_K_DIRECTION_ALIGN 41u /* kDirectionAlign */
#define TR_FIELD_C_FROM_BIAS 42u /* cmatrixSource */
#define TR_FIELD_C_STARTS_AT_ZERO 43u /* cmatrixInitVal */
#define TR_FIELD_SRC_COLUMN_STRIDE 44u /* distance of column groups at the source (srcStride) */
#define TR_FIELD_DST_ROW_STRIDE 45u /* distance of rows or column groups at the destination (dstStride) */
#define TR_FIELD_QUANT_MODE 46u /* quantPre */
#define TR_FIELD_RELU_MODE 47u /* reluEn */
#define TR_FIELD_CHANNEL_SPLIT 48u /* channelSplit */
#define TR_FIELD_NZ_TO_ND 49u /* nz2nd */
#define TR_FIELD_SRC_ND_STRIDE 50u /* distance of matrices at the source (srcNdStride) */
#define TR_FIELD_DST_ND_STRIDE 51u /* distance of matrices at the destination (dstNdStride) */
#define TR_FIELD_SELECT_MODE 52u /* mode of the selection */
#define TR_FIELD_RESULT_ORDER 53u /* order of value and index */
#define TR_FIELD_GATHER_BASE 54u /* address that offsets count from */
#define TR_FIELD_PATTERN_MODE 55u /* number of the pattern */
#define TR_FIELD_LIST_MASK 56u /* which lists take part (validBit) */
#define TR_FIELD_SUSPENSION 57u /* stop when a list is exhausted */
#define TR_FIELD_LIST_LENGTH_0 58u /* length of the first list in records */
#define TR_FIELD_LIST_LENGTH_1 59u /* length of the second list in records */
#define TR_FIELD_LIST_LENGTH_2 60u /* length of the third list in records */
#define TR_FIELD_LIST_LENGTH_3 61u /* length of the fourth list in records */
#define TR_FIELD_DST_FRAC_GAP 62u /* gap between the fractals of a square (dstFracGap) */
#define TR_FIELD_K_EXTENSION 63u /* columns of the tile (kExtension) */
#define TR_FIELD_M_EXTENSION 64u /* rows of the tile (mExtension) */
#define TR_FIELD_K_START 65u /* first column of the tile (kStartPt) */
#define TR_FIELD_M_START 66u /* first row of the tile (mStartPt) */
#define TR_FIELD_STRIDE_W 67u /* horizontal step of the filter (strideW) */
#define TR_FIELD_STRIDE_H 68u /* vertical step of the filter (strideH) */
#define TR_FIELD_FILTER_W 69u /* width of the filter (filterW) */
#define TR_FIELD_FILTER_H 70u /* height of the filter (filterH) */
#define TR_FIELD_DILATION_W 71u /* horizontal dilation of the filter (dilationFilterW) */
#define TR_FIELD_DILATION_H 72u /* vertical dilation of the filter (dilationFilterH) */
#define TR_FIELD_FILTER_SIZE_W 73u /* 256 more columns of the filter (filterSizeW) */
#define TR_FIELD_FILTER_SIZE_H 74u /* 256 more rows of the filter (filterSizeH) */
#define TR_FIELD_EN_TRANSPOSE 75u /* transposition of the tile (enTranspose) */
#define TR_FIELD_F_MATRIX_CTRL 76u /* which feature map register (fMatrixCtrl) */
#define TR_FIELD_CHANNEL_SIZE 77u /* number of channels (channelSize) */
#define TR_FIELD_MAP_HEIGHT 78u /* height of the feature map (l1H) */
#define TR_FIELD_MAP_WIDTH 79u /* width of the feature map (l1W) */
#define TR_FIELD_BOUNDARY 80u /* boundary of L1 (boundaryValue) */
#define TR_FIELD_BLOCK_NUM 81u /* blocks of one repeat (blockNum) */
#define TR_FIELD_CONVERT 82u /* conversion from half to float */

#define TR_MAX_VEC_BINARY_DST_BLOCK_STRIDE 255ull
#define TR_MAX_VEC_BINARY_SRC0_BLOCK_STRIDE 255ull
#define TR_MAX_VEC_BINARY_SRC1_BLOCK_STRIDE 255ull
#define TR_MAX_VEC_BINARY_DST_REPEAT_STRIDE 255ull
#define TR_MAX_VEC_BINARY_SRC0_REPEAT_STRIDE 255ull
#define TR_MAX_VEC_BINARY_SRC1_REPEAT_STRIDE 255ull
#define TR_MAX_VEC_BINARY_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_vec_binary(uint64_t dst_block_stride, uint64_t src0_block_stride, uint64_t src1_block_stride, uint64_t dst_repeat_stride, uint64_t src0_repeat_stride, uint64_t src1_repeat_stride, uint64_t repeat_times) {
  return 0
    | (((dst_block_stride) & 0xffull) << 0)
    | (((src0_block_stride) & 0xffull) << 8)
    | (((src1_block_stride) & 0xffull) << 16)
    | (((dst_repeat_stride) & 0xffull) << 24)
    | (((src0_repeat_stride) & 0xffull) << 32)
    | (((src1_repeat_stride) & 0xffull) << 40)
    | (((repeat_times) & 0xffull) << 56);
}

#define TR_MAX_VEC_UNARY_DST_BLOCK_STRIDE 65535ull
#define TR_MAX_VEC_UNARY_SRC0_BLOCK_STRIDE 65535ull
#define TR_MAX_VEC_UNARY_DST_REPEAT_STRIDE 4095ull
#define TR_MAX_VEC_UNARY_SRC0_REPEAT_STRIDE 4095ull
#define TR_MAX_VEC_UNARY_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_vec_unary(uint64_t dst_block_stride, uint64_t src0_block_stride, uint64_t dst_repeat_stride, uint64_t src0_repeat_stride, uint64_t repeat_times) {
  return 0
    | (((dst_block_stride) & 0xffffull) << 0)
    | (((src0_block_stride) & 0xffffull) << 16)
    | (((dst_repeat_stride) & 0xffull) << 32)
    | (((dst_repeat_stride >> 8) & 0xfull) << 52)
    | (((src0_repeat_stride) & 0xfffull) << 40)
    | (((repeat_times) & 0xffull) << 56);
}

#define TR_MAX_VEC_DUP_DST_BLOCK_STRIDE 65535ull
#define TR_MAX_VEC_DUP_DST_REPEAT_STRIDE 4095ull
#define TR_MAX_VEC_DUP_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_vec_dup(uint64_t dst_block_stride, uint64_t dst_repeat_stride, uint64_t repeat_times) {
  return 0
    | (((dst_block_stride) & 0xffffull) << 0)
    | (((dst_repeat_stride) & 0xffull) << 32)
    | (((dst_repeat_stride >> 8) & 0xfull) << 52)
    | (((repeat_times) & 0xffull) << 56);
}

#define TR_MAX_BURST_SID 0ull
#define TR_MAX_BURST_BURST_COUNT 4095ull
#define TR_MAX_BURST_BURST_LEN 65535ull
#define TR_MAX_BURST_SRC_GAP 65535ull
#define TR_MAX_BURST_DST_GAP 65535ull
static inline uint64_t tr_pack_burst(uint64_t burst_count, uint64_t burst_len, uint64_t src_gap, uint64_t dst_gap) {
  return 0
    | (((burst_count) & 0xfffull) << 4)
    | (((burst_len) & 0xffffull) << 16)
    | (((src_gap) & 0xffffull) << 32)
    | (((dst_gap) & 0xffffull) << 48);
}

#define TR_MAX_ALIGN_IN_SID 0ull
#define TR_MAX_ALIGN_IN_BURST_COUNT 4095ull
#define TR_MAX_ALIGN_IN_BURST_LEN 2097151ull
#define TR_MAX_ALIGN_IN_LEFT_PAD 32ull
#define TR_MAX_ALIGN_IN_RIGHT_PAD 32ull
#define TR_MAX_ALIGN_IN_SRC_GAP 4294967295ull
#define TR_MAX_ALIGN_IN_DST_GAP 4294967295ull
static inline uint64_t tr_pack_align_in(uint64_t burst_count, uint64_t burst_len, uint64_t left_pad, uint64_t right_pad) {
  return 0
    | (((burst_count) & 0xfffull) << 4)
    | (((burst_len) & 0x1fffffull) << 16)
    | (((left_pad) & 0x3full) << 48)
    | (((right_pad) & 0x3full) << 54);
}
static inline uint64_t tr_pack_align_in_2(uint64_t src_gap, uint64_t dst_gap) {
  return 0
    | (((src_gap) & 0xffffffffull) << 0)
    | (((dst_gap) & 0xffffffffull) << 32);
}

#define TR_MAX_ALIGN_OUT_SID 0ull
#define TR_MAX_ALIGN_OUT_BURST_COUNT 4095ull
#define TR_MAX_ALIGN_OUT_BURST_LEN 2097151ull
#define TR_MAX_ALIGN_OUT_SRC_GAP 4294967295ull
#define TR_MAX_ALIGN_OUT_DST_GAP 4294967295ull
static inline uint64_t tr_pack_align_out(uint64_t burst_count, uint64_t burst_len) {
  return 0
    | (((burst_count) & 0xfffull) << 4)
    | (((burst_len) & 0x1fffffull) << 16);
}
static inline uint64_t tr_pack_align_out_2(uint64_t src_gap, uint64_t dst_gap) {
  return 0
    | (((src_gap) & 0xffffffffull) << 0)
    | (((dst_gap) & 0xffffffffull) << 32);
}

#define TR_MAX_VEC_SELECT_DST_BLOCK_STRIDE 255ull
#define TR_MAX_VEC_SELECT_SRC0_BLOCK_STRIDE 255ull
#define TR_MAX_VEC_SELECT_SRC1_BLOCK_STRIDE 255ull
#define TR_MAX_VEC_SELECT_DST_REPEAT_STRIDE 255ull
#define TR_MAX_VEC_SELECT_SRC0_REPEAT_STRIDE 255ull
#define TR_MAX_VEC_SELECT_SRC1_REPEAT_STRIDE 255ull
#define TR_MAX_VEC_SELECT_SELECT_MODE 2ull
#define TR_MAX_VEC_SELECT_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_vec_select(uint64_t dst_block_stride, uint64_t src0_block_stride, uint64_t src1_block_stride, uint64_t dst_repeat_stride, uint64_t src0_repeat_stride, uint64_t src1_repeat_stride, uint64_t select_mode, uint64_t repeat_times) {
  return 0
    | (((dst_block_stride) & 0xffull) << 0)
    | (((src0_block_stride) & 0xffull) << 8)
    | (((src1_block_stride) & 0xffull) << 16)
    | (((dst_repeat_stride) & 0xffull) << 24)
    | (((src0_repeat_stride) & 0xffull) << 32)
    | (((src1_repeat_stride) & 0xffull) << 40)
    | (((select_mode) & 0x3ull) << 48)
    | (((repeat_times) & 0xffull) << 56);
}

#define TR_MAX_VEC_REDUCE_DST_REPEAT_STRIDE 65535ull
#define TR_MAX_VEC_REDUCE_SRC0_BLOCK_STRIDE 65535ull
#define TR_MAX_VEC_REDUCE_SRC0_REPEAT_STRIDE 65535ull
#define TR_MAX_VEC_REDUCE_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_vec_reduce(uint64_t dst_repeat_stride, uint64_t src0_block_stride, uint64_t src0_repeat_stride, uint64_t repeat_times) {
  return 0
    | (((dst_repeat_stride) & 0xffffull) << 0)
    | (((src0_block_stride) & 0xffffull) << 16)
    | (((src0_repeat_stride) & 0xffffull) << 32)
    | (((repeat_times) & 0xffull) << 56);
}

#define TR_MAX_VEC_GATHER_GATHER_BASE 4294967295ull
#define TR_MAX_VEC_GATHER_DST_REPEAT_STRIDE 65535ull
#define TR_MAX_VEC_GATHER_DST_BLOCK_STRIDE 255ull
#define TR_MAX_VEC_GATHER_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_vec_gather(uint64_t gather_base, uint64_t dst_repeat_stride, uint64_t dst_block_stride, uint64_t repeat_times) {
  return 0
    | (((gather_base) & 0xffffffffull) << 0)
    | (((dst_repeat_stride) & 0xffffull) << 32)
    | (((dst_block_stride) & 0xffull) << 48)
    | (((repeat_times) & 0xffull) << 56);
}

#define TR_MAX_GATHER_MASK_REPEAT_TIMES 65535ull
#define TR_MAX_GATHER_MASK_SRC0_BLOCK_STRIDE 255ull
#define TR_MAX_GATHER_MASK_PATTERN_MODE 7ull
#define TR_MAX_GATHER_MASK_SRC0_REPEAT_STRIDE 65535ull
#define TR_MAX_GATHER_MASK_SRC1_REPEAT_STRIDE 255ull
static inline uint64_t tr_pack_gather_mask(uint64_t repeat_times, uint64_t src0_block_stride, uint64_t pattern_mode, uint64_t src0_repeat_stride, uint64_t src1_repeat_stride) {
  return 0
    | (((repeat_times) & 0xffull) << 0)
    | (((repeat_times >> 8) & 0xffull) << 56)
    | (((src0_block_stride) & 0xffull) << 8)
    | (((pattern_mode) & 0x7ull) << 16)
    | (((src0_repeat_stride) & 0xffffull) << 24)
    | (((src1_repeat_stride) & 0xffull) << 40);
}

#define TR_MAX_WATCH_WATCH_ENABLE 1ull
#define TR_MAX_WATCH_WATCH_UNITS 63ull
#define TR_MAX_WATCH_WATCH_END 65535ull
#define TR_MAX_WATCH_WATCH_START 65535ull
static inline uint64_t tr_pack_watch(uint64_t watch_enable, uint64_t watch_units, uint64_t watch_end, uint64_t watch_start) {
  return 0
    | (((watch_enable) & 0x1ull) << 0)
    | (((watch_units) & 0x3full) << 26)
    | (((watch_end) & 0xffffull) << 32)
    | (((watch_start) & 0xffffull) << 48);
}

#define TR_MAX_ND2NZ_SID 0ull
#define TR_MAX_ND2NZ_ND_NUM 4095ull
#define TR_MAX_ND2NZ_N_VALUE 16384ull
#define TR_MAX_ND2NZ_D_VALUE 65535ull
#define TR_MAX_ND2NZ_SRC_MATRIX_STRIDE 65535ull
#define TR_MAX_ND2NZ_SRC_D_VALUE 65535ull
#define TR_MAX_ND2NZ_DST_C0_STRIDE 16384ull
#define TR_MAX_ND2NZ_DST_N_STRIDE 16384ull
#define TR_MAX_ND2NZ_DST_MATRIX_STRIDE 16384ull
static inline uint64_t tr_pack_nd2nz(uint64_t nd_num, uint64_t n_value, uint64_t d_value, uint64_t src_matrix_stride) {
  return 0
    | (((nd_num) & 0xfffull) << 4)
    | (((n_value) & 0xffffull) << 16)
    | (((d_value) & 0xffffull) << 32)
    | (((src_matrix_stride) & 0xffffull) << 48);
}
static inline uint64_t tr_pack_nd2nz_2(uint64_t src_d_value, uint64_t dst_c0_stride, uint64_t dst_n_stride, uint64_t dst_matrix_stride) {
  return 0
    | (((src_d_value) & 0xffffull) << 0)
    | (((dst_c0_stride) & 0xffffull) << 16)
    | (((dst_n_stride) & 0xffffull) << 32)
    | (((dst_matrix_stride) & 0xffffull) << 48);
}

#define TR_MAX_LOAD2D_START_INDEX 65535ull
#define TR_MAX_LOAD2D_REPEAT_TIMES 255ull
#define TR_MAX_LOAD2D_SRC_STRIDE 65535ull
#define TR_MAX_LOAD2D_SID 0ull
#define TR_MAX_LOAD2D_DST_GAP 65535ull
#define TR_MAX_LOAD2D_IF_TRANSPOSE 1ull
#define TR_MAX_LOAD2D_ADDR_MODE 1ull
static inline uint64_t tr_pack_load2d(uint64_t start_index, uint64_t repeat_times, uint64_t src_stride, uint64_t dst_gap) {
  return 0
    | (((start_index) & 0xffffull) << 0)
    | (((repeat_times) & 0xffull) << 16)
    | (((src_stride) & 0xffffull) << 24)
    | (((dst_gap) & 0xffffull) << 44);
}
static inline uint64_t tr_pack_load2d_2(uint64_t if_transpose, uint64_t addr_mode) {
  return 0
    | (((if_transpose) & 0x1ull) << 0)
    | (((addr_mode) & 0x1ull) << 1);
}

#define TR_MAX_MAD_M_SIZE 4095ull
#define TR_MAX_MAD_K_SIZE 4095ull
#define TR_MAX_MAD_N_SIZE 4095ull
#define TR_MAX_MAD_C_SOURCE 255ull
#define TR_MAX_MAD_UNIT_FLAG 3ull
#define TR_MAX_MAD_K_DIRECTION_ALIGN 1ull
#define TR_MAX_MAD_C_FROM_BIAS 1ull
#define TR_MAX_MAD_C_STARTS_AT_ZERO 1ull
static inline uint64_t tr_pack_mad(uint64_t m_size, uint64_t k_size, uint64_t n_size, uint64_t c_source, uint64_t unit_flag, uint64_t k_direction_align, uint64_t c_from_bias, uint64_t c_starts_at_zero) {
  return 0
    | (((m_size) & 0xfffull) << 0)
    | (((k_size) & 0xfffull) << 12)
    | (((n_size) & 0xfffull) << 24)
    | (((c_source) & 0xffull) << 36)
    | (((unit_flag) & 0x3ull) << 55)
    | (((k_direction_align) & 0x1ull) << 58)
    | (((c_from_bias) & 0x1ull) << 62)
    | (((c_starts_at_zero) & 0x1ull) << 63);
}

#define TR_MAX_FIXPIPE_SID 0ull
#define TR_MAX_FIXPIPE_N_SIZE 4095ull
#define TR_MAX_FIXPIPE_M_SIZE 65535ull
#define TR_MAX_FIXPIPE_DST_ROW_STRIDE 4294967295ull
#define TR_MAX_FIXPIPE_SRC_COLUMN_STRIDE 65535ull
#define TR_MAX_FIXPIPE_UNIT_FLAG 3ull
#define TR_MAX_FIXPIPE_QUANT_MODE 31ull
#define TR_MAX_FIXPIPE_RELU_MODE 1ull
#define TR_MAX_FIXPIPE_CHANNEL_SPLIT 1ull
#define TR_MAX_FIXPIPE_NZ_TO_ND 1ull
static inline uint64_t tr_pack_fixpipe(uint64_t n_size, uint64_t m_size, uint64_t dst_row_stride) {
  return 0
    | (((n_size) & 0xfffull) << 4)
    | (((m_size) & 0xffffull) << 16)
    | (((dst_row_stride) & 0xffffffffull) << 32);
}
static inline uint64_t tr_pack_fixpipe_2(uint64_t src_column_stride, uint64_t unit_flag, uint64_t quant_mode, uint64_t relu_mode, uint64_t channel_split, uint64_t nz_to_nd) {
  return 0
    | (((src_column_stride) & 0xffffull) << 0)
    | (((unit_flag) & 0x3ull) << 32)
    | (((quant_mode) & 0x1full) << 34)
    | (((relu_mode) & 0x7ull) << 39)
    | (((channel_split) & 0x1ull) << 42)
    | (((nz_to_nd) & 0x1ull) << 43);
}

#define TR_MAX_ND_PARA_ND_NUM 65535ull
#define TR_MAX_ND_PARA_SRC_ND_STRIDE 512ull
#define TR_MAX_ND_PARA_DST_ND_STRIDE 65535ull
static inline uint64_t tr_pack_nd_para(uint64_t nd_num, uint64_t src_nd_stride, uint64_t dst_nd_stride) {
  return 0
    | (((nd_num) & 0xffffull) << 0)
    | (((src_nd_stride) & 0xffffull) << 16)
    | (((dst_nd_stride) & 0xffffull) << 32);
}

#define TR_MAX_VEC_REPEAT_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_vec_repeat(uint64_t repeat_times) {
  return 0
    | (((repeat_times) & 0xffull) << 56);
}

#define TR_MAX_NCHW_CONV_DST_REPEAT_STRIDE 65535ull
#define TR_MAX_NCHW_CONV_SRC0_REPEAT_STRIDE 65535ull
#define TR_MAX_NCHW_CONV_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_nchw_conv(uint64_t dst_repeat_stride, uint64_t src0_repeat_stride, uint64_t repeat_times) {
  return 0
    | (((dst_repeat_stride) & 0xffffull) << 0)
    | (((src0_repeat_stride) & 0xffffull) << 16)
    | (((repeat_times) & 0xffull) << 56);
}

#define TR_MAX_MERGE_REPEAT_TIMES 255ull
#define TR_MAX_MERGE_LIST_MASK 15ull
#define TR_MAX_MERGE_SUSPENSION 1ull
#define TR_MAX_MERGE_LIST_LENGTH_0 4095ull
#define TR_MAX_MERGE_LIST_LENGTH_1 4095ull
#define TR_MAX_MERGE_LIST_LENGTH_2 4095ull
#define TR_MAX_MERGE_LIST_LENGTH_3 4095ull
static inline uint64_t tr_pack_merge(uint64_t repeat_times, uint64_t list_mask, uint64_t suspension) {
  return 0
    | (((repeat_times) & 0xffull) << 0)
    | (((list_mask) & 0xfull) << 8)
    | (((suspension) & 0x1ull) << 12);
}
static inline uint64_t tr_pack_merge_2(uint64_t list_length_0, uint64_t list_length_1, uint64_t list_length_2, uint64_t list_length_3) {
  return 0
    | (((list_length_0) & 0xffffull) << 0)
    | (((list_length_1) & 0xffffull) << 16)
    | (((list_length_2) & 0xffffull) << 32)
    | (((list_length_3) & 0xffffull) << 48);
}

#define TR_MAX_LOAD2D_TRANSPOSE_START_INDEX 65535ull
#define TR_MAX_LOAD2D_TRANSPOSE_REPEAT_TIMES 255ull
#define TR_MAX_LOAD2D_TRANSPOSE_SRC_STRIDE 65535ull
#define TR_MAX_LOAD2D_TRANSPOSE_DST_GAP 65535ull
#define TR_MAX_LOAD2D_TRANSPOSE_ADDR_MODE 1ull
#define TR_MAX_LOAD2D_TRANSPOSE_DST_FRAC_GAP 65535ull
static inline uint64_t tr_pack_load2d_transpose(uint64_t start_index, uint64_t repeat_times, uint64_t src_stride, uint64_t dst_gap, uint64_t addr_mode) {
  return 0
    | (((start_index) & 0xffffull) << 0)
    | (((repeat_times) & 0xffull) << 16)
    | (((src_stride) & 0xffffull) << 24)
    | (((dst_gap) & 0xffffull) << 44)
    | (((addr_mode) & 0x1ull) << 63);
}
static inline uint64_t tr_pack_load2d_transpose_2(uint64_t dst_frac_gap) {
  return 0
    | (((dst_frac_gap) & 0xffffull) << 0);
}

#define TR_MAX_LOAD_SPARSE_START_INDEX 65535ull
#define TR_MAX_LOAD_SPARSE_REPEAT_TIMES 255ull
static inline uint64_t tr_pack_load_sparse(uint64_t start_index, uint64_t repeat_times) {
  return 0
    | (((start_index) & 0xffffull) << 0)
    | (((repeat_times) & 0xffull) << 16);
}

#define TR_MAX_LOAD3D_K_EXTENSION 65535ull
#define TR_MAX_LOAD3D_M_EXTENSION 65535ull
#define TR_MAX_LOAD3D_K_START 65535ull
#define TR_MAX_LOAD3D_M_START 32767ull
#define TR_MAX_LOAD3D_STRIDE_W 63ull
#define TR_MAX_LOAD3D_STRIDE_H 63ull
#define TR_MAX_LOAD3D_FILTER_W 255ull
#define TR_MAX_LOAD3D_FILTER_H 255ull
#define TR_MAX_LOAD3D_DILATION_W 255ull
#define TR_MAX_LOAD3D_DILATION_H 255ull
#define TR_MAX_LOAD3D_FILTER_SIZE_W 1ull
#define TR_MAX_LOAD3D_FILTER_SIZE_H 1ull
#define TR_MAX_LOAD3D_EN_TRANSPOSE 1ull
#define TR_MAX_LOAD3D_F_MATRIX_CTRL 1ull
#define TR_MAX_LOAD3D_CHANNEL_SIZE 65535ull
static inline uint64_t tr_pack_load3d(uint64_t k_extension, uint64_t m_extension, uint64_t k_start, uint64_t m_start) {
  return 0
    | (((k_extension) & 0xffffull) << 0)
    | (((m_extension) & 0xffffull) << 16)
    | (((k_start) & 0xffffull) << 32)
    | (((m_start) & 0xffffull) << 48);
}
static inline uint64_t tr_pack_load3d_2(uint64_t stride_w, uint64_t stride_h, uint64_t filter_w, uint64_t filter_h, uint64_t dilation_w, uint64_t dilation_h, uint64_t filter_size_w, uint64_t filter_size_h, uint64_t en_transpose, uint64_t f_matrix_ctrl, uint64_t channel_size) {
  return 0
    | (((stride_w) & 0x3full) << 0)
    | (((stride_h) & 0x3full) << 6)
    | (((filter_w) & 0xffull) << 12)
    | (((filter_h) & 0xffull) << 20)
    | (((dilation_w) & 0xffull) << 28)
    | (((dilation_h) & 0xffull) << 36)
    | (((filter_size_w) & 0x1ull) << 44)
    | (((filter_size_h) & 0x1ull) << 45)
    | (((en_transpose) & 0x1ull) << 46)
    | (((f_matrix_ctrl) & 0x1ull) << 47)
    | (((channel_size) & 0xffffull) << 48);
}

#define TR_MAX_FILL_REPEAT_TIMES 32767ull
#define TR_MAX_FILL_BLOCK_NUM 32767ull
#define TR_MAX_FILL_DST_GAP 32767ull
static inline uint64_t tr_pack_fill(uint64_t repeat_times, uint64_t block_num, uint64_t dst_gap) {
  return 0
    | (((repeat_times) & 0xffffull) << 0)
    | (((block_num) & 0xffffull) << 16)
    | (((dst_gap) & 0xffffull) << 32);
}

#define TR_MAX_TO_BIAS_CONVERT 1ull
#define TR_MAX_TO_BIAS_BURST_COUNT 4095ull
#define TR_MAX_TO_BIAS_BURST_LEN 65535ull
#define TR_MAX_TO_BIAS_SRC_GAP 65535ull
#define TR_MAX_TO_BIAS_DST_GAP 65535ull
static inline uint64_t tr_pack_to_bias(uint64_t convert, uint64_t burst_count, uint64_t burst_len, uint64_t src_gap, uint64_t dst_gap) {
  return 0
    | (((convert) & 0x1ull) << 3)
    | (((burst_count) & 0xfffull) << 4)
    | (((burst_len) & 0xffffull) << 16)
    | (((src_gap) & 0xffffull) << 32)
    | (((dst_gap) & 0xffffull) << 48);
}

#define TR_MAX_TO_FIXPIPE_BURST_COUNT 4095ull
#define TR_MAX_TO_FIXPIPE_BURST_LEN 65535ull
#define TR_MAX_TO_FIXPIPE_SRC_GAP 65535ull
#define TR_MAX_TO_FIXPIPE_DST_GAP 65535ull
static inline uint64_t tr_pack_to_fixpipe(uint64_t burst_count, uint64_t burst_len, uint64_t src_gap, uint64_t dst_gap) {
  return 0
    | (((burst_count) & 0xfffull) << 4)
    | (((burst_len) & 0xffffull) << 16)
    | (((src_gap) & 0xffffull) << 32)
    | (((dst_gap) & 0xffffull) << 48);
}

#endif
