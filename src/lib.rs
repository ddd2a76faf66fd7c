//! Assert Doctor: why did a PyTorch run die with a CUDA device-side assert?
