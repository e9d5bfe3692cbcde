"""The automatic estimator: what its bases see, in words.

words    what each base says when it tells the two sets apart
"""
