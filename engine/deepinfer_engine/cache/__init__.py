"""State kept between steps: window rings, paged main KV and index keys, compressor tails."""
