"""From logits to a token: processing, counter-based noise, choice. Pure functions, no state."""
