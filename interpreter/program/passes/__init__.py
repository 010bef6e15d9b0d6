"""What is decided on the program before any back end prints it."""
