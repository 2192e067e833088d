"""The grader of bpe-kata: judges, diagnoses and times solutions of the katas."""

__version__ = "0.1.0"
