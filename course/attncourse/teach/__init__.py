"""Teach the course: hand in without a server, grade, exams from a seed, study forms.

``python -m attncourse.teach.hand_in NOTEBOOK…`` writes one small file of answers;
``python -m attncourse.teach.grade FOLDER`` runs every answer again, shut in, and writes
a table and a page; ``python -m attncourse.teach.exam`` prints sheets.
"""
