"""The teacher's tool: release the course, grade a class, and export to other services."""
