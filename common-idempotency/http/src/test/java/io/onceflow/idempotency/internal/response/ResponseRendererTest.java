package io.onceflow.idempotency.internal.response;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.idempotency.testing.MappedConfig;
import io.smallrye.mutiny.Multi;
import jakarta.ws.rs.core.CacheControl;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.File;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ResponseRendererTest {

  private static final int LONGEST = 100;

  private final ResponseRenderer renderer =
      new ResponseRenderer(
          new ObjectMapper(),
          MappedConfig.of(IdempotencyConfig.class, Map.of(), Map.of("max-response-size", LONGEST)));

  @Test
  void takesNullForNoContentAsJaxRsDoes() {
    StoredResponse stored = renderer.render(null, Optional.empty(), "test");
    assertThat(stored.status()).isEqualTo(204);
    assertThat(stored.body()).isEmpty();
  }

  @Test
  void writesAnObjectAsJson() {
    StoredResponse stored = render(Response.ok(Map.of("a", 1)));
    assertThat(stored.body()).isEqualTo("{\"a\":1}".getBytes(UTF_8));
    assertThat(stored.headers()).containsEntry("Content-Type", List.of("application/json"));
  }

  @Test
  void writesTextInUtf8AndSaysSo() {
    StoredResponse stored = render(Response.ok("für"));
    assertThat(stored.body()).isEqualTo("für".getBytes(UTF_8));
    assertThat(contentType(stored)).isEqualTo("text/plain;charset=UTF-8");
  }

  @Test
  void leavesBytesAlone() {
    byte[] bytes = {0, -1, 13, 10};
    StoredResponse stored = render(Response.ok(bytes));
    assertThat(stored.body()).isEqualTo(bytes);
    assertThat(contentType(stored)).isEqualTo("application/octet-stream");
  }

  @Test
  void believesTheMethodBeforeItsAnnotation() {
    Optional<String> produces = Optional.of("application/xml");
    assertThat(contentType(renderer.render(Response.ok("<a/>").build(), produces, "test")))
        .isEqualTo("application/xml");
    assertThat(contentType(renderer.render(Response.ok("a", "text/csv").build(), produces, "test")))
        .isEqualTo("text/csv;charset=UTF-8");
  }

  /** Found by reading: the answer had two types, which is none. */
  @Test
  void givesItsTypeOnceHoweverTheMethodSpellsTheHeader() {
    StoredResponse stored = render(Response.ok("a;b").header("content-type", "text/csv"));
    assertThat(stored.first().getHeaders().get("Content-Type"))
        .containsExactly("text/csv;charset=UTF-8");
  }

  @Test
  void givesNoTypeToWhatIsNotThere() {
    assertThat(render(Response.accepted()).headers()).isEmpty();
  }

  @Test
  void keepsEveryHeaderWithAllItsValues() {
    CacheControl never = new CacheControl();
    never.setNoStore(true);
    StoredResponse stored =
        render(
            Response.noContent()
                .header("X-Two", "1")
                .header("X-Two", 2)
                .header("Location", "/things/1")
                .cacheControl(never));
    assertThat(stored.headers())
        .containsEntry("X-Two", List.of("1", "2"))
        .containsEntry("Location", List.of("/things/1"))
        .hasEntrySatisfying(
            "Cache-Control",
            values -> assertThat(values).singleElement().asString().contains("no-store"));
  }

  @Test
  void saysWhatCannotBeStored() {
    Object loop =
        new Object() {
          public Object getSelf() {
            return this;
          }
        };
    assertThatExceptionOfType(ResponseNotReplayable.class)
        .isThrownBy(() -> render(Response.ok(loop)))
        .withMessageContaining("cannot be written as JSON");
  }

  private StoredResponse render(Response.ResponseBuilder response) {
    return renderer.render(response.build(), Optional.empty(), "test");
  }

  private static String contentType(StoredResponse stored) {
    return String.join(" | ", stored.headers().getOrDefault("Content-Type", List.of()));
  }

  static Stream<Object> streams() {
    return Stream.of(
        InputStream.nullInputStream(),
        Reader.nullReader(),
        (StreamingOutput) out -> {},
        new File("a"),
        Path.of("a"),
        Stream.of(1),
        CompletableFuture.completedFuture(1),
        Multi.createFrom().item(1));
  }

  @ParameterizedTest
  @MethodSource("streams")
  void refusesWhatIsMadeWhileItIsSent(Object stream) {
    assertThatExceptionOfType(ResponseNotReplayable.class)
        .isThrownBy(() -> render(Response.ok(stream)))
        .withMessageContaining("a stream");
  }

  @Test
  void refusesOneByteTooMany() {
    assertThat(render(Response.ok("a".repeat(LONGEST))).body()).hasSize(LONGEST);
    assertThatExceptionOfType(ResponseNotReplayable.class)
        .isThrownBy(() -> render(Response.ok("a".repeat(LONGEST + 1))))
        .withMessageContaining("onceflow.idempotency.max-response-size");
  }
}
