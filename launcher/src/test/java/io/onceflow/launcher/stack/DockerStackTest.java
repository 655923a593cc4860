package io.onceflow.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two checkouts on one machine, with a stand-in for Docker that records how it was called. */
class DockerStackTest {

  /** Lists one container, whose folder is in a file; writes every command line to another. */
  private static final String DOCKER =
      """
      #!/bin/sh
      here=$(dirname "$0")
      echo "$*" >>"$here/calls"
      case "$*" in
        inspect*) cat "$here/folder" ;;
        *' ps '*) grep -qs COMPOSE_PROJECT_NAME=onceflow- .env || echo 0a1b2c ;;
        *' port '*) echo 0.0.0.0:8080 ;;
      esac
      """;

  @TempDir private Path folder;
  private Path checkout;
  private DockerStack stack;

  @BeforeEach
  void prepareCheckout() throws IOException {
    checkout = Files.createDirectories(folder.resolve("mine/onceflow"));
    Files.writeString(checkout.resolve("docker-compose.yml"), "name: onceflow\n");
    Files.copy(Path.of("../services.yaml"), checkout.resolve("services.yaml"));
    Path docker = folder.resolve("docker");
    Files.writeString(docker, DOCKER);
    assertThat(docker.toFile().setExecutable(true)).isTrue();
    stack = new DockerStack(new Home(checkout), docker.toString());
  }

  @Test
  void adoptsWhatComposeHasStartedInThisCheckout() throws Exception {
    startedFrom(checkout);

    assertThat(stack.adopt()).isTrue();
    stack.down();

    assertThat(calls()).anyMatch(call -> call.contains(" down "));
  }

  @Test
  void restartsOneServiceAndNoneOfAnotherCheckout() throws Exception {
    startedFrom(checkout);
    stack.restart("payment-service");
    assertThat(calls())
        .anyMatch(call -> call.contains("--no-deps --force-recreate payment-service"));

    startedFrom(Files.createDirectories(folder.resolve("theirs/onceflow")));
    assertThatThrownBy(() -> stack.restart("payment-service")).isInstanceOf(LaunchException.class);
  }

  /** Before: it was adopted as this checkout's own, and removed by its {@code down}. */
  @Test
  void leavesTheContainersOfAnotherCheckoutAlone() throws Exception {
    Path other = Files.createDirectories(folder.resolve("theirs/onceflow"));
    startedFrom(other);

    assertThat(stack.adopt()).isFalse();
    assertThatThrownBy(stack::down)
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining(other.toString());
    assertThat(calls()).noneMatch(call -> call.contains(" down "));
  }

  /** Two clones in folders of the same name had one project, and so one stack. */
  @Test
  void isAProjectOfItsOwnBesideThatOfAnotherCheckout() throws Exception {
    startedFrom(Files.createDirectories(folder.resolve("theirs/onceflow")));
    Files.writeString(checkout.resolve(".env"), "ONCEFLOW_ORDER_PORT=9080");

    stack.up(true, List.of(), false, false);

    assertThat(Files.readAllLines(checkout.resolve(".env")))
        .hasSize(2)
        .first()
        .isEqualTo("ONCEFLOW_ORDER_PORT=9080");
    assertThat(Files.readString(checkout.resolve(".env")))
        .containsPattern("COMPOSE_PROJECT_NAME=onceflow-[0-9a-f]{8}\n");
  }

  @Test
  void keepsTheProjectNameThatIsSet() throws Exception {
    Path other = Files.createDirectories(folder.resolve("theirs/onceflow"));
    startedFrom(other);
    Files.writeString(checkout.resolve(".env"), "COMPOSE_PROJECT_NAME=shop\n");

    assertThatThrownBy(() -> stack.up(true, List.of(), false, false))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining(other.toString());
    assertThat(calls()).noneMatch(call -> call.contains(" down ") || call.contains(" up "));
  }

  @Test
  void leavesTheContainersOfADeletedCheckoutAlone() throws Exception {
    startedFrom(folder.resolve("deleted"));

    assertThat(stack.adopt()).isFalse();
  }

  private void startedFrom(Path started) throws IOException {
    Files.writeString(folder.resolve("folder"), started + "\n");
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }
}
