"""Signed requests to Parley, with nothing but the standard library."""

import base64
import hashlib
import hmac
import json
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request


def signature_headers(secret, method, target, body=b"", timestamp=None, nonce=None):
    """The headers of a signed request.

    secret: the key's signing secret, "sgsec_" and 32 bytes in base64.
    target: path and query exactly as they go over the wire.
    body: the bytes that go over the wire; empty without a body.
    """
    timestamp = int(time.time()) if timestamp is None else timestamp
    nonce = secrets.token_hex(16) if nonce is None else nonce
    key = base64.b64decode(secret.removeprefix("sgsec_"))
    body_hash = hashlib.sha256(body).hexdigest()
    lines = ["v1", str(timestamp), nonce, method.upper(), target, body_hash]
    signature = hmac.new(key, "\n".join(lines).encode(), hashlib.sha256).hexdigest()
    return {
        "X-Timestamp": str(timestamp),
        "X-Nonce": nonce,
        "X-Signature": f"v1={signature}",
    }


def call(api_key, secret, method, url, payload=None):
    """Calls the API with a signed request; returns the status and the answer."""
    parts = urllib.parse.urlsplit(url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    # Serialised once: what is signed and what is sent must be the same bytes.
    body = b"" if payload is None else json.dumps(payload).encode()
    headers = {"X-API-Key": api_key, **signature_headers(secret, method, target, body)}
    if body:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url, data=body or None, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
