import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Webhooks of Parley. */
public final class Verify {
  /**
   * Whether a webhook is genuine.
   *
   * @param secret "whsec_" and base64
   * @param headers with lower-case names
   * @param body the bytes as they came
   * @param now seconds since 1970
   */
  static boolean verify(String secret, Map<String, String> headers, byte[] body, long now)
      throws GeneralSecurityException {
    String id = headers.getOrDefault("webhook-id", "");
    String timestamp = headers.getOrDefault("webhook-timestamp", "");
    if (id.isEmpty() || !timestamp.matches("\\d{1,12}")) return false;
    if (Math.abs(now - Long.parseLong(timestamp)) > 300) return false;
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] wanted = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
    for (String given : headers.getOrDefault("webhook-signature", "").split(" ")) {
      if (MessageDigest.isEqual(wanted, given.getBytes(StandardCharsets.UTF_8))) return true;
    }
    return false;
  }

  /** For trying it out: secret, id, time-stamp, signature, body and the time as arguments. */
  public static void main(String[] args) throws GeneralSecurityException {
    Map<String, String> headers =
        Map.of("webhook-id", args[1], "webhook-timestamp", args[2], "webhook-signature", args[3]);
    System.out.println(
        verify(args[0], headers, args[4].getBytes(StandardCharsets.UTF_8), Long.parseLong(args[5])));
  }
}
