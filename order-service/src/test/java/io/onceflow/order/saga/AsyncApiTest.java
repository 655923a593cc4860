package io.onceflow.order.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code docs/messages/asyncapi.json} is generated; {@code -Donceflow.regenerate=true} does it.
 * What it says of payloads is compared with the golden files.
 */
class AsyncApiTest {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final Path FOLDER = Path.of("../docs/messages");
  private static final Path FILE = FOLDER.resolve("asyncapi.json");
  private static final String HOW =
      "./mvnw test -pl order-service -Dtest=AsyncApiTest -Donceflow.regenerate=true";

  private static final ObjectNode DOCUMENT = AsyncApi.of(JSON, messages());

  private static Map<String, Record> messages() {
    Map<String, Record> messages = new TreeMap<>();
    Stream.of(
            MessagesTest.commands(),
            MessagesTest.replies(),
            MessagesTest.refusalsToUndo(),
            MessagesTest.events())
        .flatMap(all -> all)
        .map(Record.class::cast)
        .forEach(message -> messages.put(message.getClass().getSimpleName(), message));
    return messages;
  }

  @Test
  void theDocumentSaysWhatTheRecordsSay() throws IOException {
    String generated = JSON.writeValueAsString(DOCUMENT) + "\n";
    if (Boolean.getBoolean("onceflow.regenerate")) {
      Files.writeString(FILE, generated);
    }
    assertThat(Files.readString(FILE)).as(HOW).isEqualTo(generated);
  }

  static List<String> goldenFiles() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json") && !name.equals("asyncapi.json"))
          .map(name -> name.replace(".json", ""))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void itHasEveryMessageThatHasAGoldenFile() {
    List<String> described = new ArrayList<>();
    DOCUMENT.at("/components/messages").fieldNames().forEachRemaining(described::add);
    described.removeAll(List.of("Pack", "StepPending"));
    assertThat(described).containsExactlyInAnyOrderElementsOf(goldenFiles());
  }

  @ParameterizedTest
  @MethodSource("goldenFiles")
  void aGoldenMessageIsValidAndOneThatLacksAPropertyIsNot(String type) throws IOException {
    JsonSchema schema = payload(type);
    JsonNode golden = JSON.readTree(FOLDER.resolve(type + ".json").toFile());
    assertThat(schema.validate(golden)).isEmpty();
    List<JsonNode> incomplete = withoutEachProperty(golden);
    assertThat(incomplete).isNotEmpty();
    assertThat(incomplete).allSatisfy(it -> assertThat(schema.validate(it)).isNotEmpty());
  }

  @ParameterizedTest
  @MethodSource("goldenFiles")
  void aPropertyThatTheReaderDoesNotKnowIsValid(String type) throws IOException {
    ObjectNode later = (ObjectNode) JSON.readTree(FOLDER.resolve(type + ".json").toFile());
    assertThat(payload(type).validate(later.put("addedLater", true))).isEmpty();
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    List<JsonNode> references = DOCUMENT.findValues("$ref");
    assertThat(references).hasSizeGreaterThan(50);
    assertThat(references)
        .allSatisfy(it -> assertThat(DOCUMENT.at(it.asText().substring(1)).isObject()).isTrue());
  }

  /** AsyncAPI asks operations for messages of their channel, and replies for those of theirs. */
  @Test
  void operationsSpeakOfMessagesOfTheirChannel() {
    for (JsonNode operation : DOCUMENT.get("operations")) {
      assertThat(operation.get("action").asText()).isIn("send", "receive");
      expectMessagesOfItsChannel(operation);
      if (operation.has("reply")) {
        expectMessagesOfItsChannel(operation.get("reply"));
      }
    }
  }

  @Test
  void everyCommandHasTheRepliesThatTheSagaUnderstands() {
    assertThat(DOCUMENT.at("/operations/sendArrangeShipment/reply/messages"))
        .extracting(it -> it.get("$ref").asText())
        .containsExactly(
            "#/channels/shipping-service/messages/ShipmentArranged",
            "#/channels/shipping-service/messages/ShipmentRejected");
    MessagesTest.commands()
        .map(
            command ->
                "/operations/send%s/reply/messages".formatted(command.getClass().getSimpleName()))
        .forEach(replies -> assertThat(DOCUMENT.at(replies)).as(replies).isNotEmpty());
  }

  /** The product's own answer, which the payment service gives while a payment is not settled. */
  @Test
  void aCommandOfAStepThatWaitsMayBeAnsweredAsPending() {
    assertThat(DOCUMENT.at("/operations/sendProcessPayment/reply/messages"))
        .extracting(it -> it.get("$ref").asText())
        .containsExactly(
            "#/channels/payment-service/messages/PaymentDeclined",
            "#/channels/payment-service/messages/PaymentProcessed",
            "#/channels/payment-service/messages/StepPending");
    assertThat(DOCUMENT.at("/operations/receiveReplies/messages").findValuesAsText("$ref"))
        .contains("#/channels/order-service.replies/messages/StepPending");
    assertThat(DOCUMENT.at("/channels/shipping-service/messages/StepPending").isMissingNode())
        .isTrue();
    assertThat(payload("StepPending").validate(JSON.createObjectNode())).isEmpty();
  }

  private static void expectMessagesOfItsChannel(JsonNode operation) {
    String channel = operation.at("/channel/$ref").asText();
    assertThat(operation.get("messages"))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.get("$ref").asText()).startsWith(channel + "/messages/"));
  }

  private static JsonSchema payload(String type) {
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
        .getSchema(DOCUMENT.at("/components/messages/%s/payload".formatted(type)));
  }

  /** Copies of it, each without one of its properties, at whatever depth. */
  private static List<JsonNode> withoutEachProperty(JsonNode whole) {
    List<JsonNode> copies = new ArrayList<>();
    if (whole instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> property : object.properties()) {
        copies.add(object.deepCopy().without(property.getKey()));
        withoutEachProperty(property.getValue())
            .forEach(it -> copies.add(object.deepCopy().set(property.getKey(), it)));
      }
    } else if (whole instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        for (JsonNode lesser : withoutEachProperty(array.get(i))) {
          ArrayNode copy = array.deepCopy();
          copy.set(i, lesser);
          copies.add(copy);
        }
      }
    }
    return copies;
  }
}
