"""Exercises on paper: made from a seed, with one right answer and the reason for it."""
