"""Committed tokens to text as they come: thoughts apart, stop strings found, nothing taken back."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deepinfer_engine.request import TokenLogprobs
from deepinfer_structured.constraint.vocabulary import THINK_CLOSE, Vocabulary
from deepinfer_structured.results import TokenLogprob

__all__ = ["Transcript"]


class Transcript:
    """The answer of one request so far. A character whose bytes are not all there yet waits for the rest."""

    def __init__(self, vocabulary: Vocabulary, *, stop: tuple[str, ...] = (), thinking: bool = False) -> None:
        self._vocabulary = vocabulary
        self._stream = vocabulary.stream()
        self._stop = stop
        self._overlap = max(map(len, stop), default=1) - 1
        self._thoughts: list[int] | None = [] if thinking else None
        self._thinking = thinking
        self.text = ""
        self.token_ids: list[int] = []
        self.logprobs: list[TokenLogprob] = []
        self.stopped = False

    @property
    def thinking(self) -> str | None:
        """The text before the end of thinking; None where there was none to come."""
        return None if self._thoughts is None else self._vocabulary.decode(self._thoughts)

    def push(self, tokens: Sequence[int], logprobs: Sequence[TokenLogprobs] = ()) -> None:
        """Take committed tokens. Once a stop string is complete, `stopped` is set and the rest is left out."""
        for index, token in enumerate(tokens):
            if self.stopped:
                return
            if self._thoughts is not None and self._thinking:
                self._think(token)
            elif token != self._vocabulary.eos:
                self._answer(token, logprobs[index] if logprobs else None)

    def close(self) -> None:
        """No more tokens will come: a half character becomes U+FFFD."""
        if not self.stopped:
            self.text += self._stream.finish()

    def _think(self, token: int) -> None:
        if token == self._vocabulary.special[THINK_CLOSE]:
            self._thinking = False
        elif self._thoughts is not None:
            self._thoughts.append(token)

    def _answer(self, token: int, logprob: TokenLogprobs | None) -> None:
        before = len(self.text)
        self.token_ids.append(token)
        if logprob is not None:
            self.logprobs.append(self._named(logprob))
        self.text += self._stream.push([token])
        found = [self.text.find(stop, max(0, before - self._overlap)) for stop in self._stop]
        if places := [place for place in found if place >= 0]:
            self._cut(min(places))

    def _cut(self, length: int) -> None:
        """End the text before a stop string, and the tokens with the last one that has a part in what is left."""
        self.stopped = True
        self.text = self.text[:length]
        left, count = len(self.text.encode("utf-8", "surrogatepass")), 0
        while left > 0 and count < len(self.token_ids):
            left -= len(self._vocabulary.token_bytes[self.token_ids[count]])
            count += 1
        del self.token_ids[count:], self.logprobs[count:]

    def _named(self, logprob: TokenLogprobs) -> TokenLogprob:
        decode = self._vocabulary.decode
        legal = [(token, value) for token, value in logprob.top if value > -math.inf]
        top = tuple((token, decode([token]), value) for token, value in legal)
        return TokenLogprob(token_id=logprob.token, text=decode([logprob.token]), logprob=logprob.logprob, top=top)
