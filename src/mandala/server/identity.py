"""Who somebody is: a signed cookie for people, a token for programs, a key for each seat."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass

COOKIE = "mandala"
A_YEAR = 365 * 86_400


@dataclass(frozen=True)
class Signer:
    """Signs with a key of the server; what it signs cannot be guessed or forged."""

    key: bytes

    def signed(self, kind: str, text: str) -> str:
        """A text with its signature, for one kind of use."""
        return f"{text}.{self.signature(kind, text)}"

    def opened(self, kind: str, value: str) -> str | None:
        """The text that was signed for this use, or None."""
        text, _, signature = value.rpartition(".")
        right = self.signature(kind, text)
        return (
            text
            if text and hmac.compare_digest(signature.encode(errors="replace"), right.encode())
            else None
        )

    def signature(self, kind: str, text: str) -> str:
        """What only this server can make out of a text."""
        digest = hmac.new(
            self.key, f"{kind}\0{text}".encode(errors="replace"), hashlib.sha256
        ).digest()
        return base64.urlsafe_b64encode(digest[:24]).decode()

    def seat_key(self, table_id: str, seat: int) -> str:
        """The key in a seat's link."""
        return self.signature("seat", f"{table_id}/{seat}")

    def is_seat_key(self, table_id: str, seat: int, key: str) -> bool:
        """Whether a key is that of a seat."""
        return hmac.compare_digest(
            key.encode(errors="replace"), self.seat_key(table_id, seat).encode()
        )
