package io.onceflow.quickstart.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceProcessTest {

  private static final Path JAR = Path.of("quarkus-run.jar");

  @Test
  void withoutMoreOptionsAServiceHasOnlyItsHeap() {
    assertThat(arguments(" ")).containsExactly("-Xmx256m", "-jar", "quarkus-run.jar");
  }

  @Test
  void optionsComeAfterOursAndMayHoldTheServicesName() {
    assertThat(arguments("-Xmx128m  -XX:AOTConfiguration=/caches/{service}.conf"))
        .containsExactly(
            "-Xmx256m",
            "-Xmx128m",
            "-XX:AOTConfiguration=/caches/payment-service.conf",
            "-jar",
            "quarkus-run.jar");
  }

  private static List<String> arguments(String options) {
    List<String> command = ServiceProcess.command(SampleServices.all().get(1), JAR, options);
    assertThat(command.getFirst()).isEqualTo(JavaCommand.path());
    return command.subList(1, command.size());
  }
}
