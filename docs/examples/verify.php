<?php

/**
 * Whether a webhook of Parley is genuine.
 *
 * @param string $secret "whsec_" and base64
 * @param array<string, string> $headers with lower-case names
 * @param string $body the bytes as they came: file_get_contents('php://input')
 */
function verify_webhook(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || !ctype_digit($timestamp)) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $mac = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals("v1,$mac", $given)) {
            return true;
        }
    }
    return false;
}
