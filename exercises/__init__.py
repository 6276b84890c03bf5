"""Write a part of minitorch yourself, plug it in, and let the library's own tests grade it."""
