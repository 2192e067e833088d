"""Where student code runs: a child that holds nothing worth stealing and decides nothing."""
