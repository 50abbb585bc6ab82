"""Scores of a model on the held-out splits or on anyone's own file."""

from deepinfer_structured.evaluate.score import Score, leaves, score
from deepinfer_structured.evaluate.splits import Interval, Report, Tally, evaluate_examples, evaluate_split, wilson

__all__ = ["Interval", "Report", "Score", "Tally", "evaluate_examples", "evaluate_split", "leaves", "score", "wilson"]
