"""One exercise a file: cases to try, the right answer, known mistakes."""
