"""Mock interviews: a plan, a clock, what is asked, and a report of it all."""
