"""Mock interviews: what is asked, and what is asked next."""
