#pragma once

#include <string_view>

namespace assay::inline v0 {

/// The chips that Assay knows, as the text of `chips.csv` beside this header, which is the same and is installed. Peaks
/// are dense, in 10¹² operations a second; memory in 10⁹ bytes; bandwidths in 10⁹ bytes a second, that of links in both
/// directions together; confidence is that of the figures, by their sources. Where clock, units and fused multiply-adds
/// per clock are given, `check_chip` derives the peak of `checked_format` from them.
inline constexpr std::string_view chips_csv =
    R"chips(chip,vendor,year,fp64,tf32,bf16,fp16,fp8,fp6,fp4,int8,memory_gb,memory_type,bandwidth_gbps,tdp_w,interconnect_gbps,clock_mhz,units,fma_per_clock,checked_format,as_of,confidence,source
V100 SXM,NVIDIA,2017,7.8,,,125,,,,,,HBM2,,,300,1530,640,64,fp16,2026-08,medium,pytorch-lightning throughput.py; link: NVLink table NVLink2
T4,NVIDIA,2018,,,,65,,,,130,,GDDR6,,,,1590,320,64,fp16,2026-08,medium,pytorch-lightning throughput.py
A10,NVIDIA,2021,,62.5,125,125,,,,250,24,GDDR6,,150,,1695,288,128,bf16,2026-08,medium,"pytorch-lightning throughput.py (a10g entry cites A10 datasheet); tdp NVIDIA/DCGM diag-skus.yaml (149); memory size recalled, unverified"
A100 SXM 80,NVIDIA,2020,19.5,156,312,312,,,,624,80,HBM2e,2000,400,600,1410,432,256,bf16,2026-08,high,"stas00/ml-engineering compute/accelerator (2026-08); 400 W maximum TDP (CTS up to 500 W), NVLink3 12x50 GB/s; fp64 is the tensor rate (9.7 vector)"
A100 PCIe 80,NVIDIA,2021,19.5,156,312,312,,,,624,80,HBM2e,1940,300,600,1410,432,256,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08)
L4,NVIDIA,2023,,60,121,121,242,,,242,24,GDDR6,300,72,,,,,,2026-08,medium,"pytorch-lightning throughput.py; fp8 = int8 rate of Ada; memory, bandwidth, tdp recalled, unverified"
L40S,NVIDIA,2023,,183,362,362,733,,,733,48,GDDR6,860,350,,,,,,2026-08,medium,stas00/ml-engineering compute/accelerator (2026-08); NVIDIA/DCGM diag-skus.yaml 350 W
H100 SXM,NVIDIA,2022,67,494.5,989,989,1979,,,1979,80,HBM3,3350,700,900,1830,528,512,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08); peak re-derived 1830 MHz x 512 x 2 x 528; NVIDIA/DCGM diag-skus.yaml 700 W; fp64 tensor (34 vector)
H100 PCIe,NVIDIA,2022,51.2,378,756,756,1513,,,1513,80,HBM3,2000,350,,,,,,2026-08,medium,"stas00/ml-engineering compute/accelerator (2026-08); pytorch-lightning throughput.py; fp64 tensor; tdp recalled, unverified"
H100 NVL,NVIDIA,2023,60,417.5,835.5,835.5,1671,,,1670.5,94,HBM3,3900,400,600,,,,,2026-08,medium,pytorch-lightning throughput.py; stas00/ml-engineering compute/accelerator (2026-08) (350-400 W)
H200 SXM,NVIDIA,2023,67,494.5,989,989,1979,,,1979,141,HBM3e,4800,700,900,1830,528,512,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08); NVIDIA/DCGM diag-skus.yaml 700 W
H200 NVL,NVIDIA,2024,60,420,840,840,1680,,,1680,141,HBM3e,4800,600,900,,,,,2026-08,medium,pytorch-lightning throughput.py; stas00/ml-engineering compute/accelerator (2026-08) 600 W
GH200,NVIDIA,2023,67,494.5,989,989,1979,,,1979,141,HBM3e,4800,,900,1830,528,512,bf16,2026-08,medium,stas00/ml-engineering compute/accelerator (2026-08) (96 GB HBM3 4000 GB/s variant exists); module power configurable
B200 SXM,NVIDIA,2024,37,1125,2250,2250,4500,4500,9000,4500,180,HBM3e,8000,1000,1800,,,,,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08) (DGX B200 datasheet; NVIDIA lists 180 GB usable of 192); Verda/DataCrunch blog citing the Blackwell technical brief table 3 (7.7 TB/s); NVIDIA/DCGM diag-skus.yaml 1000 W
GB200 (per GPU),NVIDIA,2024,40,1250,2500,2500,5000,5000,10000,5000,186,HBM3e,8000,1200,1800,,,,,2026-08,high,"stas00/ml-engineering compute/accelerator (2026-08) (GB200 NVL72 page /72); NVIDIA/DCGM diag-skus.yaml 1199 W. Verda gives fp4 9000, fp8 4500"
B300 SXM,NVIDIA,2025,1.2,1125,2250,2250,4500,4500,13500,150,288,HBM3e,8000,1100,1800,,,,,2026-08,medium,"Verda/DataCrunch blog (fp4 14 PF, int8 0.15 POPS, 1100 W); NVIDIA/DCGM diag-skus.yaml 1099 W; HGX B300 108 PF dense / 8 = 13.5 recalled, unverified. stas00/ml-engineering compute/accelerator (2026-08) says fp4 12600, int8 4500, 1000 W: int8 there contradicts NVIDIA"
GB300 (per GPU),NVIDIA,2025,1.3,1250,2500,2500,5000,5000,15000,167,288,HBM3e,8000,1400,1800,,,,,2026-08,high,"GB300 NVL72 rack figures /72 as quoted by vendordeep.com: fp4 1440 sparse 1080 dense PF, fp8/fp6 720 sparse, int8 24 POPS sparse; NVIDIA/DCGM diag-skus.yaml 1399 W; usable 279 GB (Verda)"
Rubin (per GPU),NVIDIA,2026,,2000,4000,4000,17500,17500,35000,2500,288,HBM4,22000,,3600,,,,,2026-08,low,"stas00/ml-engineering compute/accelerator (2026-08) note 26 (Vera Rubin NVL72 page, announced figures; 50 PF NVFP4 inference uses adaptive compression); other sites call 50 PF sparse and quote 1800 W"
RTX 4090,NVIDIA,2022,1.29,82.6,165.2,330.3,660.6,,,660.6,24,GDDR6X,1008,450,,2520,512,128,fp16,2026-08,medium,"hmc-tech.com table; bf16 with fp32 accumulate, fp16/fp8 with fp16 accumulate (fp32 accumulate: 165.2 / 330.3); Lightning lists the non-tensor 82.6 as bf16"
RTX 5090,NVIDIA,2025,1.64,104.8,209.5,419,838,,1676,838,32,GDDR7,1792,575,,2407,170,2048,fp4,2026-08,medium,"spheron.network spec page (sparse: fp16 838.4, fp8 1676.8, fp4 3352; fp16 accumulate) halved; re-derived 170 SM x 65536 x 2407 MHz / 8 sparse fp4 (torring.dev)"
RTX PRO 6000 Blackwell,NVIDIA,2025,,,,,,,,,96,GDDR7,,600,,,,,,2026-08,medium,stas00/ml-engineering compute/accelerator (2026-08) power table (600 W configurable); cuda_memtest#52 log: 101983125504 B
Jetson AGX Orin 64,NVIDIA,2022,,,,,,,,138,64,LPDDR5,204.8,60,,,,,,2026-08,low,"Fixstars blog: 275 sparse INT8 TOPS (GPU 170 + DLA 105), halved; 15-60 W; memory recalled, unverified"
Jetson AGX Thor T5000,NVIDIA,2025,,,,,517,,1035,517,128,LPDDR5X,273,130,,1570,20,16384,fp4,2026-08,medium,"2070 sparse FP4 TFLOPS, 40-130 W (learnaivisually.com citing NVIDIA); re-derived 20 SM x 65536 x 1570 MHz; fp8/int8 a quarter of sparse fp4; memory recalled, unverified"
GB10 (DGX Spark),NVIDIA,2025,,,,,,,500,,128,LPDDR5X,273,140,,,,,,2026-08,medium,"1 PFLOP sparse FP4 halved (dgx-spark.warehack.ing, torring.dev); ferra.ru on Hot Chips: 31 TFLOPS FP32, 301 GB/s LPDDR5X-9400, 140 W; 273 GB/s as shipped recalled, unverified"
MI250X,AMD,2021,95.7,,383,383,,,,383,128,HBM2e,3280,560,,1700,880,128,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08); 500 W TDP / 560 W peak TBP; fp64 matrix; re-derived 1700 MHz x 128 x 2 x 880
MI300X,AMD,2023,163.4,653.7,1307.4,1307.4,2614.9,,,2614.9,192,HBM3,5300,750,896,2100,1216,256,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08) + network table (7 x 64 GB/s each way); re-derived 2100 MHz x 256 x 2 x 1216; fp64 matrix (81.7 vector)
MI300A,AMD,2023,122.6,490.3,980.6,980.6,1961.2,,,1961.2,128,HBM3,5300,550,,2100,912,256,bf16,2026-08,medium,"re-derived 2100 MHz x 256 x 2 x 912 (228 CU: ROCm MI300 page 38 CU/XCD x 6, estaterule.ru article); 550 W (760 W peak) recalled, unverified"
MI325X,AMD,2024,163.4,653.7,1307.4,1307.4,2614.9,,,2614.9,256,HBM3e,6000,1000,896,2100,1216,256,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08) (same compute as MI300X; 1000 W peak TBP; xGMI 448 each way)
MI350X,AMD,2025,72.1,,2306.9,2306.9,4613.7,9227.5,9227.5,4613.7,288,HBM3e,8000,1000,1071,2200,1024,512,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08) note 22 (MI355X silicon at 2200 MHz); xGMI 7 x 76.5 each way; Tom's Hardware 18.45 PF fp4 is the sparse figure
MI355X,AMD,2025,78.6,,2516.6,2516.6,5033.2,10066,10066,5033.2,288,HBM3e,8000,1400,1071,2400,1024,512,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08); re-derived 2400 MHz x 512 x 2 x 1024; Tom's Hardware 20.1 PF is sparse
MI455X,AMD,2026,,,5000,5000,10000,10000,20000,5000,432,HBM4,23300,,,,,,,2026-08,low,stas00/ml-engineering compute/accelerator (2026-08) note 27 (AMD page 2026-08-06; fp8/fp4 halved on the assumption that AMD states sparse)
Gaudi2,Intel,2022,,,432,,865,,,,96,HBM2e,2460,600,600,,,,,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08)
Gaudi3,Intel,2024,,459,1677,459,1677,,,,128,HBM2e,3700,900,1200,1600,8,65536,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08): shipping parts run the MME at 1600 MHz = 1677; the white paper's 1835 needs 1750 MHz (both re-derived)
Data Center GPU Max 1550,Intel,2023,52.4,419,839,839,,,,1678,128,HBM2e,3276.8,600,,1600,1024,256,bf16,2026-08,medium,"glennklockwood.com (ARK: 128 Xe cores, 1.6 GHz, 128 GB, 600 W); peaks derived 128 x 8 x {32 fp64, 512 bf16, 1024 int8} flop/clk x 1.6 GHz; measured on Aurora: bf16 273, fp64 17 per stack"
Xeon 8592+ (AMX),Intel,2023,,,,,,,,,,DDR5-5600 x8,358.4,350,,,,,,2026-08,low,"per core 2048 bf16 flop/clk, 4096 int8 op/clk (Tom's Hardware: 1024/2048 MAC per cycle per core); peak = cores x flop/clk x AMX clock, which Intel does not publish per SKU"
TPU v4,Google,2021,,,275,,,,,275,32,HBM2,1228,,540,1050,8,16384,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08); jax-ml/scaling-book (1.2e12 B/s; 6 links x 45 GB/s one way)
TPU v5e,Google,2023,,,197,,,,,394,16,HBM2,819,,400,1500,4,16384,bf16,2026-08,high,stas00/ml-engineering compute/accelerator (2026-08); scaling-book
TPU v5p,Google,2023,,,459,,459,,,918,95,HBM2e,2765,,1200,1750,8,16384,bf16,2026-08,high,docs.cloud.google.com/tpu/docs/tpu7x comparison table; int8 stas00/ml-engineering compute/accelerator (2026-08)
TPU v6e,Google,2024,,,918,,918,,,1836,32,HBM,1638,,800,,,,,2026-08,high,docs.cloud.google.com/tpu/docs/tpu7x comparison table
TPU7x Ironwood,Google,2025,,,2307,,4614,,,,206.2,HBM3e,7380,,1200,,,,,2026-08,high,docs.cloud.google.com/tpu/docs/tpu7x (GiB; bidirectional ICI GB/s per chip); 192 GiB
Inferentia2,AWS,2022,,190,190,190,190,,,380,34.4,HBM,880.5,,,,,,,2026-08,high,"aws-neuron-sdk about-neuron/arch/neuron-hardware/inferentia2.rst (32 GiB, 820 GiB/s; fp8 is cFP8)"
Trainium1,AWS,2022,,190,190,190,190,,,380,34.4,HBM,880.5,,384,,,,,2026-08,high,aws-neuron-sdk about-neuron/arch/neuron-hardware/trainium.rst (trainium2.rst lists 191)
Trainium2,AWS,2024,,667,667,667,1299,,,,103,HBM3,2900,,1280,,,,,2026-08,high,aws-neuron-sdk about-neuron/arch/neuron-hardware/trainium2.rst (96 GiB)
Trainium3,AWS,2025,,671,671,671,2517,,2517,,154.6,HBM3e,4900,,2560,,,,,2026-08,high,aws-neuron-sdk about-neuron/arch/neuron-hardware/trainium3.rst (144 GiB; MXFP8/MXFP4; 2025-12)
Maia 100,Microsoft,2023,,,,,,,,,64,HBM2e,1800,700,,,,,,2026-08,medium,news.semivoice.com on Hot Chips 2024 (up to 700 W TDP)
Maia 200,Microsoft,2026,,,,,5072,,10145,,216,HBM3e,7000,750,2800,,,,,2026-08,medium,"Microsoft announcement 2026-01-26 as reported (nnewstech: 10.145/5.072 PF; inelectronics: 2.8 TB/s bidirectional, 750 W)"
WSE-3,Cerebras,2024,,,,,,,,,44,SRAM,21000000,,,,,,,2026-08,low,"zubnet.ai, ai505.com (44 GB SRAM, 21 PB/s); the vendor's 125 PF is not qualified as dense"
Groq LPU v1,Groq,2021,,,,188,,,,750,0.23,SRAM,80000,,,,,,,2026-08,low,"recalled, unverified; not found in a vendor source"
Cloud AI 100 Ultra,Qualcomm,2023,,,,288,,,,870,128,LPDDR4X,548,150,,,,,,2026-08,low,"recalled, unverified; kernel docs give up to 16 NSPs and 32 GB per SoC (4 SoCs a card)"
Ascend 950DT,Huawei,2026,,,486,486,919,,1783,,96,,4000,,,,,,,2026-08,low,stas00/ml-engineering compute/accelerator (2026-08) note 28 (Atlas 950 /64; fp8 is mxFP8/HiF8)
M3 Max 40-core,Apple,2023,,,,14.3,,,,,128,LPDDR5,400,,,1398,5120,1,fp16,2026-08,low,"hmc-tech.com (5120 ALU x 1398 MHz; fp32 = fp16 rate, no matrix units); bandwidth recalled, unverified; ANE 18 TOPS not listed"
M4 Max 40-core,Apple,2024,,,,17.2,,,,,128,LPDDR5X,546,,,,,,,2026-08,medium,"hmc-tech.com 32 cores 13.74 x 40/32; gamebastion: 128 GB, 546 GB/s; ANE 38 TOPS int8 not in the GPU columns"
Graviton4,AWS,2024,,,,,,,,,,DDR5-5600 x12,537.6,,,,,,,2026-08,low,"recalled, unverified (96 Neoverse V2); derived bandwidth"
EPYC 9965,AMD,2024,,,,,,,,,,DDR5-6000 x12,576,500,,,,,,2026-08,low,"recalled, unverified (192 Zen 5c); derived bandwidth"
)chips";

}  // namespace assay::inline v0
