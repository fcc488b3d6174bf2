import type { CreatedApiKey } from '../api/types.ts';

const path = '/api/v1/external/messages/interactive/button';

const body = `{
    "to": "+447700900142",
    "body": "Your order is on its way. Shall we ring the bell?",
    "buttons": [
      { "id": "ring", "title": "Ring the bell" },
      { "id": "leave", "title": "Leave at the door" }
    ]
  }`;

type Secrets = Pick<CreatedApiKey, 'key' | 'signing_secret'>;

/** What a shell sends with a new key. */
export const firstRequest = (url: string, { key }: Secrets) => `curl ${url}${path} \\
  -H 'X-API-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`;

/** The same for a key that takes signed requests only; it needs openssl and curl. */
export const firstSignedRequest = (
  url: string,
  { key, signing_secret: secret }: Secrets,
) => `body='${body}'
secret=$(printf %s '${secret.replace(/^sgsec_/, '')}' | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
now=$(date +%s)
nonce=$(openssl rand -hex 16)
hash=$(printf %s "$body" | openssl dgst -sha256 -r | cut -c 1-64)
signature=$(printf 'v1\\n%s\\n%s\\nPOST\\n%s\\n%s' "$now" "$nonce" '${path}' "$hash" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$secret" -r | cut -c 1-64)
curl ${url}${path} \\
  -H 'X-API-Key: ${key}' \\
  -H "X-Timestamp: $now" \\
  -H "X-Nonce: $nonce" \\
  -H "X-Signature: v1=$signature" \\
  -H 'Content-Type: application/json' \\
  -d "$body"`;
