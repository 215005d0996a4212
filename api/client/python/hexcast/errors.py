"""The base class of this client's errors."""


class HexcastError(Exception):
    """The base class of all errors of this client."""
