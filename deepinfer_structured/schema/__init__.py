"""What the user asked for, as one grammar with a report; knows no tokens and no tensors."""
