"""Files: samples from disk, results to disk.

load        FILE or FILE:KEY, which reader its ending asks for
formats     readers that need another library: .parquet, .h5, .safetensors, .pt
write       all of a file or nothing
archive     arrays and a header with a checksum in one .npz
"""
