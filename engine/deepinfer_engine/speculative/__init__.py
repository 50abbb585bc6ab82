"""Drafts: which are sent to the target, which survive it, and how far their confidence can be trusted."""
