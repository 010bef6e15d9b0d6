"""How results are written: for people, programs and code hosts."""
