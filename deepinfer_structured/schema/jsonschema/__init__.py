"""JSON Schema as a grammar: resolve references, merge, then emit; knows no Python types and no tokens."""

from deepinfer_structured.schema.jsonschema.emit import lower_json_schema

__all__ = ["lower_json_schema"]
