package io.onceflow.quarkus.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.topology.ApplicationFile;
import io.onceflow.launcher.topology.RabbitDefinitions;
import io.onceflow.launcher.topology.ServiceTopology;
import io.quarkus.test.ProdBuildResults;
import io.quarkus.test.ProdModeTestResults;
import io.quarkus.test.QuarkusProdModeTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The artifact of an application says what it needs of a broker. */
class TopologyFileTest {

  @RegisterExtension
  static final QuarkusProdModeTest APPLICATION =
      new QuarkusProdModeTest()
          .setApplicationName("kitchen")
          .setApplicationVersion("1")
          .overrideConfigKey("onceflow.broker.sends.events", "meal.#,bill.#")
          .withApplicationRoot(
              jar -> jar.addClasses(Kitchen.class).addClasses(Kitchen.class.getDeclaredClasses()));

  @ProdBuildResults ProdModeTestResults built;

  @Test
  void namesQueuesBindingsAndWhatIsSent() throws IOException {
    assertThat(written(built.getBuildDir()))
        .isEqualToIgnoringWhitespace(
            """
            {
              "application": "kitchen",
              "queues": [
                {"name": "kitchen.commands", "exchange": "onceflow.commands", "routingKeys": ["meal.#"]},
                {"name": "kitchen.replies", "exchange": "onceflow.replies", "routingKeys": ["kitchen.#"]}
              ],
              "deadLetters": "kitchen.dead-letters",
              "sends": {
                "onceflow.commands": ["courier.#", "meal.#"],
                "onceflow.events": ["meal.#", "bill.#"],
                "onceflow.replies": ["*.kitchen"]
              }
            }
            """);
  }

  @Test
  void queueUserAndRightsFollowFromIt() throws IOException {
    List<ServiceTopology> applications = ApplicationFile.read(List.of(built.getBuildDir()));

    assertThat(RabbitDefinitions.render(applications))
        .contains("\"name\" : \"kitchen.commands\"")
        .contains("\"name\" : \"kitchen\"")
        .contains("^(kitchen[.]commands|kitchen[.]replies|kitchen[.]dead-letters)$")
        .contains("^(bundle[.])?(courier[.].+|meal[.].+)$")
        .contains("^(bundle[.])?([^.]+[.]kitchen)$");
  }

  private static String written(Path folder) throws IOException {
    Path jar = folder.resolve("quarkus-app/quarkus/generated-bytecode.jar");
    try (JarFile content = new JarFile(jar.toFile());
        var file = content.getInputStream(content.getEntry("META-INF/onceflow/topology.json"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
