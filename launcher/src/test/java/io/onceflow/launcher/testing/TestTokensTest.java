package io.onceflow.launcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class TestTokensTest {

  private static final Base64.Decoder URL_DECODER = Base64.getUrlDecoder();

  @Test
  void saysWhoTheUserIsAndWhatTheyMay() throws Exception {
    JsonNode claims = part(TestTokens.token("alice", "operator"), 1);
    assertThat(claims.get("iss").asText()).isEqualTo("https://onceflow.local");
    assertThat(claims.get("sub").asText()).isEqualTo("alice");
    assertThat(claims.get("groups"))
        .extracting(JsonNode::asText)
        .containsExactlyInAnyOrder("customer", "operator");
    assertThat(claims.get("exp").asLong()).isGreaterThan(Instant.now().getEpochSecond());
  }

  @Test
  void isSignedWithTheKeyThatServicesKnow() throws Exception {
    String token = TestTokens.token("alice");
    assertThat(part(token, 0).get("alg").asText()).isEqualTo("RS256");
    int dot = token.lastIndexOf('.');
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(publicKey());
    signature.update(token.substring(0, dot).getBytes());
    assertThat(signature.verify(URL_DECODER.decode(token.substring(dot + 1)))).isTrue();
  }

  private static JsonNode part(String token, int index) throws Exception {
    return new ObjectMapper().readTree(URL_DECODER.decode(token.split("\\.")[index]));
  }

  private static PublicKey publicKey() throws Exception {
    byte[] encoded = Base64.getDecoder().decode(TestTokens.publicKey());
    return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded));
  }
}
