"""The data side of the bundled model: synthetic documents, schemas and answers, and the shards made of them.

Schema before document: a record is composed first (domain catalogue, random words, tools, classes), a layout turns it
into text, and the answer is the record itself. Held-out splits draw names from the other side of the lexicon (`seen`),
layouts (`layouts`) and domains, field names and tools (`schemas`) that training never sees.
"""

from deepinfer_structured.trainset.example import Example, encode
from deepinfer_structured.trainset.generate import SPLITS, examples
from deepinfer_structured.trainset.shards import write_shards

__all__ = ["SPLITS", "Example", "encode", "examples", "write_shards"]
