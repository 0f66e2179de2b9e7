"""What does, and what does not, hold a script back?"""

UNCONFINED = (
    "No confinement yet: the script runs with the rights of your account, so it can read and change your files and use "
    "the network; only its time, memory, output and environment are limited."
)
"""Said on every proposal to run a script and on every receipt of one."""
