"""``python -m imprimatur``: the command line."""

from imprimatur.cli.main import main

if __name__ == "__main__":
    main()
