"""Results of `kata grade` as other programs read them: one module a format, text in, text out."""
