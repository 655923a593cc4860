package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class EasyPostSignatureTest {

  private static final String SECRET = "whsec-of-a-test";
  private static final byte[] EVENT = utf8("{\"id\": \"evt_1\", \"object\": \"Event\"}");

  @Test
  void takesWhatIsSignedByTheSecret() {
    assertThat(EasyPostWebhookResource.isSigned(EVENT, signature(EVENT, SECRET), SECRET)).isTrue();
  }

  @Test
  void refusesAnotherBodyAnotherSecretAndNoSignatureAtAll() {
    String signature = signature(EVENT, SECRET);
    assertThat(EasyPostWebhookResource.isSigned(utf8("{\"id\": 2}"), signature, SECRET)).isFalse();
    assertThat(EasyPostWebhookResource.isSigned(EVENT, signature, "another")).isFalse();
    assertThat(EasyPostWebhookResource.isSigned(EVENT, "", SECRET)).isFalse();
    assertThat(EasyPostWebhookResource.isSigned(EVENT, "rubbish \u0000", SECRET)).isFalse();
  }

  @Test
  void refusesRubbishThatIsNotSigned() {
    assertThat(EasyPostWebhookResource.isSigned(utf8("rubbish"), "hmac-sha256-hex=00", SECRET))
        .isFalse();
  }

  @Test
  void leavesItToTheReaderThatWhatIsSignedIsNoEvent() {
    byte[] rubbish = utf8("rubbish");
    assertThat(EasyPostWebhookResource.isSigned(rubbish, signature(rubbish, SECRET), SECRET))
        .isTrue();
  }

  private static String signature(byte[] body, String secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(utf8(secret), "HmacSHA256"));
      return "hmac-sha256-hex=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
