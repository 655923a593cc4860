package io.onceflow.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackStateTest {

  @TempDir private Path folder;

  @Test
  void comesBackAsItWasWritten() throws IOException {
    StackState state =
        new StackState(
            StackKind.embedded,
            true,
            new OwnProcess("launcher", 7, 1000),
            List.of(new OwnProcess("postgres", 8, 2000)),
            List.of("order-service"),
            Map.of("order-service", "http://localhost:8080"));
    Path file = folder.resolve("made/stack.json");
    state.write(file);
    assertThat(StackState.read(file)).contains(state);
    assertThat(state.url("order-service")).isEqualTo("http://localhost:8080");
  }

  @Test
  void keepsThePidWhereTheShellScriptLooksForIt() throws IOException {
    Path file = folder.resolve("stack.json");
    OwnProcess launcher = new OwnProcess("launcher", 4711, 1000);
    new StackState(StackKind.embedded, true, launcher, List.of(), List.of(), Map.of()).write(file);
    assertThat(Files.readString(file)).contains("\"launcher\" : {").contains("\"pid\" : 4711");
  }

  @Test
  void needsNoLauncherWhereDockerRunsTheStack() throws IOException {
    Path file = folder.resolve("stack.json");
    new StackState(StackKind.docker, true, null, List.of(), List.of(), Map.of()).write(file);
    assertThat(StackState.read(file))
        .hasValueSatisfying(state -> assertThat(state.launcher()).isNull());
  }

  @Test
  void isAbsentWhenNothingIsUp() throws IOException {
    assertThat(StackState.read(folder.resolve("stack.json"))).isEmpty();
  }

  @Test
  void saysSoIfItDoesNotKnowAService() {
    StackState state =
        new StackState(StackKind.embedded, true, null, List.of(), List.of(), Map.of());
    assertThatThrownBy(() -> state.url("order-service")).hasMessageContaining("order-service");
  }
}
