require "base64"
require "openssl"

# Whether a webhook of Parley is genuine.
#
# secret:: "whsec_" and base64
# headers:: with lower-case names
# body:: the bytes as they came
def verify_webhook(secret, headers, body, now: Time.now.to_i)
  id, timestamp, signatures = headers.values_at("webhook-id", "webhook-timestamp", "webhook-signature")
  return false unless id && signatures && timestamp&.match?(/\A\d+\z/)
  return false if (now - timestamp.to_i).abs > 300

  key = Base64.decode64(secret.delete_prefix("whsec_"))
  mac = Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{body}"))
  signatures.split(" ").any? { |given| OpenSSL.secure_compare("v1,#{mac}", given) }
end
