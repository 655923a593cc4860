package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.CanonicalJson;
import io.onceflow.core.internal.MalformedBody;
import io.onceflow.core.internal.MalformedIdempotencyKey;
import io.onceflow.idempotency.internal.request.RequestFingerprint;
import java.net.URI;
import java.net.URISyntaxException;
import org.junit.jupiter.api.Tag;

/**
 * What strangers put into a header and a body. See docs/internals/fuzzing.md for how to look for
 * more.
 */
@Tag("nightly")
class ParsersFuzzTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A header is refused, or means a key that means itself in either form. */
  @FuzzTest(maxDuration = "1m")
  void aKeyIsRefusedOrMeansItself(FuzzedDataProvider data) {
    String header = data.consumeRemainingAsString();
    IdempotencyKey key;
    try {
      key = IdempotencyKey.parse(header);
    } catch (MalformedIdempotencyKey e) {
      return;
    }
    assertThat(key.value()).hasSizeBetween(1, IdempotencyKey.MAX_LENGTH).matches("[ -~]+");
    String quoted = "\"" + key.value().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    assertThat(IdempotencyKey.parse(quoted)).isEqualTo(key);
    assertThat(IdempotencyKey.parse(" \t" + quoted + "\t ")).isEqualTo(key);
  }

  /** A body is refused, or has one form, which is its own form and says the same. */
  @FuzzTest(maxDuration = "1m")
  void aBodyIsRefusedOrHasOneForm(byte[] body) throws Exception {
    byte[] canonical;
    try {
      canonical = CanonicalJson.of(body);
    } catch (MalformedBody e) {
      assertThat(e.getMessage()).startsWith("The body is not well-formed JSON: ");
      return;
    }
    assertThat(CanonicalJson.of(canonical)).isEqualTo(canonical);
    assertThat(new String(canonical, UTF_8).getBytes(UTF_8)).isEqualTo(canonical);
    assertThat(JSON.readTree(canonical).size()).isEqualTo(JSON.readTree(body).size());
  }

  /** A path means what it means after it was made equal to others. */
  @FuzzTest(maxDuration = "30s")
  void aPathHasOneForm(FuzzedDataProvider data) {
    String path;
    try {
      path = new URI("/" + data.consumeRemainingAsAsciiString()).getRawPath();
    } catch (URISyntaxException e) {
      return; // the server has refused it before
    }
    String normal = RequestFingerprint.normal(path);

    assertThat(RequestFingerprint.normal(normal)).isEqualTo(normal);
  }
}
