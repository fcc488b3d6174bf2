"""Webhooks of Parley, with nothing but the standard library.

As a program, a receiver: PARLEY_WEBHOOK_SECRET=whsec_... python3 verify.py 4000
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer


def verify(secret, headers, body, now=None):
    """Whether a webhook is genuine.

    secret: "whsec_" and base64.
    headers: a mapping with lower-case names.
    body: the bytes as they came.
    """
    try:
        timestamp = int(headers["webhook-timestamp"])
        signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
        given = headers["webhook-signature"].split(" ")
    except (KeyError, ValueError):
        return False
    if abs((time.time() if now is None else now) - timestamp) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(f"v1,{mac}", one) for one in given)


class Receiver(BaseHTTPRequestHandler):
    seen = set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not verify(os.environ["PARLEY_WEBHOOK_SECRET"], headers, body):
            print("refused: the signature is not right", file=sys.stderr, flush=True)
            self.send_response(401)
        else:
            # The same event may come again; its id stays the same.
            if headers["webhook-id"] not in self.seen:
                print(json.dumps(json.loads(body)), flush=True)
            self.seen.add(headers["webhook-id"])
            self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1])
    print(f"Listening on http://127.0.0.1:{port}", file=sys.stderr, flush=True)
    HTTPServer(("127.0.0.1", port), Receiver).serve_forever()
