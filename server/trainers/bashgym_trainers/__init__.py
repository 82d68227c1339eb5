"""Trainers of Bash Gym. They know files and libraries, never the database or the API."""
