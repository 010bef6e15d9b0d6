"""The table in the browser: a server at home, links for seats, pages that are made of views."""
