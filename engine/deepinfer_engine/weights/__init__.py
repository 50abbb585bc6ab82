"""Checkpoints: released tensor names and storage formats, in and out, and the token map that lies beside them."""
