"""What the engine raises.

EngineError
├── ConfigError             a configuration or cost table that cannot work
├── CheckpointError         the file's tensors do not fit the model; lists which
├── InvalidRequestError     a request that can never be served as asked
├── CapacityError           a good request for which there is no room
├── DeadEndError            no token is legal, or the model gave nothing finite to choose from
├── ConstraintError         the constraint raised, or refused a token that its own mask allowed
└── StepError               a step failed for a reason of the engine's own
    └── EngineClosedError   the engine was closed

`DeadEndError` and `ConstraintError` belong to one request and travel in its `Output`; they never leave `step`.
"""

__all__ = [
    "CapacityError",
    "CheckpointError",
    "ConfigError",
    "ConstraintError",
    "DeadEndError",
    "EngineClosedError",
    "EngineError",
    "InvalidRequestError",
    "StepError",
]


class EngineError(Exception):
    """Everything the engine raises on purpose."""


class ConfigError(EngineError):
    """A configuration that cannot work."""


class CheckpointError(EngineError):
    """The tensors of a checkpoint do not fit the model."""

    def __init__(
        self,
        message: str,
        *,
        missing: tuple[str, ...] = (),
        unexpected: tuple[str, ...] = (),
        mismatched: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.missing = missing
        self.unexpected = unexpected
        self.mismatched = mismatched
        for kind, names in (("missing", missing), ("unexpected", unexpected), ("mismatched", mismatched)):
            if names:
                shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
                self.add_note(f"{kind}: {shown}")


class InvalidRequestError(EngineError):
    """A request that can never be served as asked; the message says what is possible."""


class CapacityError(EngineError):
    """A good request for which there is no room, now or ever; the message says which."""


class DeadEndError(EngineError):
    """No token is legal at this position, or the model gave nothing finite to choose from."""


class ConstraintError(EngineError):
    """The constraint raised (see `__cause__`), or refused a token that its own mask allowed."""


class StepError(EngineError):
    """A step failed for a reason of the engine's own; see `__cause__`."""


class EngineClosedError(StepError):
    """The engine was closed."""
