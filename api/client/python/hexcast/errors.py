"""The root of this client's errors."""


class HexcastError(Exception):
    """Any failure of this client."""
