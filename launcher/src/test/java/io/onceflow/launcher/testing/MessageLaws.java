package io.onceflow.launcher.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A participant's end of the contract in {@code docs/messages}, one golden file for each type. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class MessageLaws {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Class<?> reply;

  /**
   * @param reply the sealed type of all that the participant answers
   */
  protected MessageLaws(Class<?> reply) {
    this.reply = reply;
  }

  /** Each command, as its golden file shows it. */
  protected abstract Stream<?> commands();

  /** Each reply, as its golden file shows it. */
  protected abstract Stream<?> replies();

  Stream<?> all() {
    return Stream.concat(commands(), replies());
  }

  @ParameterizedTest
  @MethodSource("all")
  void readsTheGoldenFile(Object message) throws IOException {
    assertThat(JSON.treeToValue(golden(message), message.getClass())).isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("all")
  void writesTheGoldenFile(Object message) throws IOException {
    // Through text, so that int and long are the same number.
    assertThat(JSON.readTree(JSON.writeValueAsString(message))).isEqualTo(golden(message));
  }

  @Test
  void everyReplyHasItsGoldenFile() {
    assertThat(replies().<Class<?>>map(Object::getClass))
        .containsExactlyInAnyOrder(reply.getPermittedSubclasses());
  }

  private static JsonNode golden(Object message) throws IOException {
    String type = message.getClass().getSimpleName().replace("Command", "");
    return JSON.readTree(Path.of("../docs/messages", type + ".json").toFile());
  }
}
