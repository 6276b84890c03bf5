"""What the student's commands are made of; ``python -m exercises --help`` lists them."""
