"""The mock interview: a plan, a clock, a journal, and a report made from it."""
