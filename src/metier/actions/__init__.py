"""Actions: what a model, a program or a person can call, made from functions and from the scripts of skills."""
