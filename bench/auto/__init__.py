"""How close the estimates of every method come to curves that are known exactly.

families/   pairs of distributions, a row each, and features of images
"""
