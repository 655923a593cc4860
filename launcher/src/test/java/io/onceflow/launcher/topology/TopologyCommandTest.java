package io.onceflow.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.onceflow.launcher.stack.LaunchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command on applications of others. */
class TopologyCommandTest {

  private static final String KITCHEN =
      """
      {
        "application": "kitchen",
        "queues": [
          {"name": "kitchen.commands", "exchange": "onceflow.commands", "routingKeys": ["kitchen.#", "Set_menu.#"]},
          {"name": "kitchen.replies", "exchange": "onceflow.replies", "routingKeys": ["kitchen.#"]}
        ],
        "deadLetters": "kitchen.dead-letters",
        "sends": {"onceflow.commands": ["courier.#"], "onceflow.replies": ["*.kitchen"], "shop.bills": ["bill.*"]},
        "ofALaterVersion": true
      }
      """;

  private static final String COURIER =
      """
      {
        "application": "courier-service",
        "queues": [
          {"name": "courier-service.commands", "exchange": "onceflow.commands", "routingKeys": ["courier.#"]}
        ],
        "deadLetters": "courier-service.dead-letters",
        "sends": {"onceflow.replies": ["*.courier-service"]}
      }
      """;

  @TempDir private Path folder;
  private final StringWriter said = new StringWriter();
  private Path kitchen;
  private Path courier;

  @BeforeEach
  void writeFiles() throws IOException {
    kitchen = Files.writeString(folder.resolve("kitchen.json"), KITCHEN);
    courier = Files.writeString(folder.resolve("courier.json"), COURIER);
  }

  @Test
  void aUserReadsItsQueuesAndWritesByItsKeysAlone() throws IOException {
    JsonNode definitions = new ObjectMapper().readTree(print("rabbitmq", kitchen, courier));

    JsonNode permission = definitions.at("/permissions/2");
    assertThat(permission.path("user").asText()).isEqualTo("kitchen");
    assertThat(permission.path("configure").asText()).isEqualTo("^$");
    assertThat("kitchen.commands").matches(permission.path("read").asText());
    assertThat("kitchen.replies").matches(permission.path("read").asText());
    assertThat("courier-service.commands").doesNotMatch(permission.path("read").asText());
    String keys = keys(definitions, "kitchen", "onceflow.commands");
    assertThat("courier.deliver").matches(keys);
    assertThat("bundle.courier.deliver").matches(keys);
    assertThat("kitchen.cook").doesNotMatch(keys);
    assertThat("bill.sent").matches(keys(definitions, "kitchen", "shop.bills"));
    assertThat(keys(definitions, "courier-service", "shop.bills")).isEqualTo("^$");
    assertThat(definitions.path("users").findValuesAsText("password"))
        .contains("${KITCHEN_PASSWORD}", "${COURIER_SERVICE_PASSWORD}");
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void bothQueuesLeadToOneOfDeadLetters() throws IOException {
    JsonNode definitions = new ObjectMapper().readTree(print("rabbitmq", kitchen, courier));

    assertThat(definitions.path("queues").findValuesAsText("name"))
        .containsExactly(
            "courier-service.commands",
            "courier-service.dead-letters",
            "kitchen.commands",
            "kitchen.replies",
            "kitchen.dead-letters");
    assertThat(
            stream(definitions.path("bindings"))
                .filter(it -> it.path("destination").asText().equals("kitchen.dead-letters"))
                .map(it -> it.path("routing_key").asText()))
        .containsExactly("kitchen.commands", "kitchen.replies");
    assertThat("kitchen.replies").matches(definitions.at("/policies/0/pattern").asText());
  }

  /** The operator refuses a change of one, so that its name does not depend on the others. */
  @Test
  void aBindingIsNamedByItsQueueAndTheWordThatItIsFor() throws IOException {
    List<JsonNode> resources = yaml(print("rabbitmq-operator", kitchen));

    assertThat(names(resources, "Binding"))
        .containsExactly(
            "kitchen-commands",
            "kitchen-commands-packs",
            "kitchen-commands-set-menu",
            "kitchen-commands-set-menu-packs",
            "kitchen-replies",
            "kitchen-replies-packs",
            "kitchen-dead-letters",
            "kitchen-dead-letters-kitchen-replies");
    assertThat(names(resources, "User")).containsExactly("kitchen");
    assertThat(names(resources, "Permission")).containsExactly("kitchen");
    assertThat(names(resources, "TopicPermission")).contains("kitchen-shop-bills").hasSize(5);
  }

  @Test
  void onKafkaEachFirstWordIsATopicAndEachQueueAGroup() throws IOException {
    List<JsonNode> resources = yaml(print("kafka", "--scaler=keda", kitchen, courier));

    assertThat(names(resources, "KafkaTopic"))
        .contains("onceflow.commands.set-menu", "onceflow.replies.kitchen", "shop.bills.bill");
    assertThat(resources.getFirst().at("/metadata/labels/strimzi.io~1cluster").asText())
        .isEqualTo("onceflow");
    assertThat(rights(resources, "kitchen"))
        .contains(
            "group kitchen.commands [\"Read\"]",
            "group kitchen.replies [\"Read\"]",
            "topic onceflow.commands.Set_menu [\"Read\"]",
            "topic onceflow.commands.courier [\"Write\"]",
            // Its own sagas may ask it, too.
            "topic onceflow.replies.kitchen [\"Read\",\"Write\"]");
    assertThat(rights(resources, "courier-service"))
        .containsExactlyInAnyOrder(
            "group courier-service.commands [\"Read\"]",
            "topic onceflow.commands.courier [\"Read\"]",
            "topic onceflow.replies.kitchen [\"Write\"]");
    assertThat(rights(resources, "keda")).contains("group kitchen.replies [\"Describe\"]");
  }

  @Test
  void saysWhatNoneOfThemReads() {
    print("kafka", courier);

    assertThat(said.toString())
        .contains("courier-service sends *.courier-service to onceflow.replies, which none");
  }

  @ParameterizedTest
  @CsvSource({
    "quarkus/generated-bytecode.jar, .",
    "target/quarkus-app/quarkus/generated-bytecode.jar, .",
    "target/quarkus-app/quarkus/generated-bytecode.jar, target/quarkus-app",
    "target/quarkus-app/quarkus/generated-bytecode.jar, target/quarkus-app/quarkus-run.jar",
    "courier-1-runner.jar, courier-1-runner.jar",
  })
  void findsTheFileInWhatIsBuilt(String jar, String named) throws IOException {
    Path module = folder.resolve("courier");
    writeJar(module.resolve(jar), "META-INF/onceflow/topology.json", COURIER);
    if (named.endsWith("run.jar")) {
      writeJar(module.resolve(named), "META-INF/MANIFEST.MF", "Class-Path: quarkus/\n");
    }

    assertThat(print("rabbitmq", module.resolve(named))).contains("courier-service.commands");
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertFails(empty, "onceflow.transport=local");
    assertFails(folder.resolve("gone"), "There is no ");
    assertFails(Files.writeString(folder.resolve("no.jar"), "no"), "is not a jar");
    assertFails(
        Files.writeString(folder.resolve("half.json"), "{\"application\": \"a\"}"), "queues");
    assertFails(
        Files.writeString(folder.resolve("odd.json"), COURIER.replace("courier.#", "cour'er.#")),
        "no name at the broker may have");
    assertThat(execute("rabbitmq", courier, courier)).isEqualTo(1);
    assertThat(said.toString()).contains("Two of the applications are named courier-service");
    assertThat(execute("rabbitmq", "--scaler=keda", courier)).isEqualTo(2);
  }

  private void assertFails(Path place, String why) {
    said.getBuffer().setLength(0);
    assertThat(execute("rabbitmq", place)).isEqualTo(1);
    assertThat(said.toString()).contains(place.getFileName().toString()).contains(why);
  }

  private String print(String format, Object... arguments) {
    StringWriter out = new StringWriter();
    assertThat(execute(out, format, arguments)).as(said::toString).isZero();
    return out.toString();
  }

  private int execute(String format, Object... arguments) {
    return execute(new StringWriter(), format, arguments);
  }

  private int execute(StringWriter out, String format, Object... arguments) {
    return new CommandLine(new TopologyCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(said))
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              assertThat(failure).isInstanceOf(LaunchException.class);
              command.getErr().println(failure.getMessage());
              return 1;
            })
        .execute(
            Stream.concat(Stream.of("--format", format), Stream.of(arguments))
                .map(Object::toString)
                .toArray(String[]::new));
  }

  private static String keys(JsonNode definitions, String user, String exchange) {
    return stream(definitions.path("topic_permissions"))
        .filter(it -> it.path("user").asText().equals(user))
        .filter(it -> it.path("exchange").asText().equals(exchange))
        .map(it -> it.path("write").asText())
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonNode> yaml(String text) throws IOException {
    ObjectMapper mapper = new ObjectMapper(new YAMLFactory());
    return mapper.readerFor(JsonNode.class).<JsonNode>readValues(text).readAll();
  }

  private static List<String> names(List<JsonNode> resources, String kind) {
    return resources.stream()
        .filter(it -> it.path("kind").asText().equals(kind))
        .map(it -> it.at("/metadata/name").asText())
        .toList();
  }

  private static List<String> rights(List<JsonNode> resources, String user) {
    return resources.stream()
        .filter(it -> it.path("kind").asText().equals("KafkaUser"))
        .filter(it -> it.at("/metadata/name").asText().equals(user))
        .flatMap(it -> stream(it.at("/spec/authorization/acls")))
        .map(
            it ->
                "%s %s %s"
                    .formatted(
                        it.at("/resource/type").asText(),
                        it.at("/resource/name").asText(),
                        it.path("operations")))
        .toList();
  }

  private static Stream<JsonNode> stream(JsonNode list) {
    return list.valueStream();
  }

  private static void writeJar(Path jar, String entry, String content) throws IOException {
    Files.createDirectories(jar.getParent());
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry(entry));
      zip.write(content.getBytes());
      zip.closeEntry();
    }
  }
}
