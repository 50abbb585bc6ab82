"""What the benchmark scripts share: rounds and their spread, tables, documents, and the engine driven by hand."""
