"""A match as people see it: words, sentences and looks that terminal and browser share, and journals."""
