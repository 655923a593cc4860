package io.onceflow.shipping.domain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This service's end of the contract in {@code docs/messages}. */
class MessagesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<Object> commands() {
    return Stream.of(
        AnOrder.arrangeShipment(),
        AnOrder.cancelShipment(),
        AnOrder.arrangeReturn(),
        AnOrder.cancelReturn());
  }

  static Stream<ShipmentReply> replies() {
    return Stream.of(
        AnOrder.shipmentArranged(),
        AnOrder.shipmentRejected(),
        AnOrder.shipmentCancelled(),
        AnOrder.returnArranged(),
        AnOrder.returnRejected(),
        AnOrder.returnCancelled());
  }

  static Stream<Object> all() {
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
    assertThat(replies().map(Object::getClass))
        .containsExactlyInAnyOrder(ShipmentReply.class.getPermittedSubclasses());
  }

  private static JsonNode golden(Object message) throws IOException {
    String type = message.getClass().getSimpleName().replace("Command", "");
    return JSON.readTree(Path.of("../docs/messages", type + ".json").toFile());
  }
}
