"""Signed cookies, personal links and seat keys."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass

COOKIE = "mandala"
COOKIE_MAX_AGE_S = 365 * 86_400


@dataclass(frozen=True)
class Signer:
    """Signs texts with the server's key (HMAC-SHA256)."""

    key: bytes

    def sign(self, kind: str, text: str) -> str:
        """Return a text with its signature; `kind` separates uses such as cookies and links."""
        return f"{text}.{self.signature(kind, text)}"

    def unsign(self, kind: str, value: str) -> str | None:
        """Return the text that `sign` signed for this use, None for an invalid signature."""
        text, _, signature = value.rpartition(".")
        expected = self.signature(kind, text)
        return (
            text
            if text and hmac.compare_digest(signature.encode(errors="replace"), expected.encode())
            else None
        )

    def signature(self, kind: str, text: str) -> str:
        """Return the signature of a text for one use."""
        digest = hmac.new(
            self.key, f"{kind}\0{text}".encode(errors="replace"), hashlib.sha256
        ).digest()
        return base64.urlsafe_b64encode(digest[:24]).decode()

    def seat_key(self, table_id: str, seat: int) -> str:
        """Return the key in a seat's invitation link."""
        return self.signature("seat", f"{table_id}/{seat}")

    def is_seat_key(self, table_id: str, seat: int, key: str) -> bool:
        """Whether a key is the seat's key."""
        return hmac.compare_digest(
            key.encode(errors="replace"), self.seat_key(table_id, seat).encode()
        )
