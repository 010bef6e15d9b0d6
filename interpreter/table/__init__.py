"""A match as people see it: words, sentences, looks, pages and rooms that terminal and browser share, and journals."""
