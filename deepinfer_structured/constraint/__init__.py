"""A grammar against one vocabulary: masks, cursors and checks; runs no model."""
