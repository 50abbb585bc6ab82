"""DeepSeek-V4.1, one mechanism a file; the torch reference for CPU and CUDA."""
