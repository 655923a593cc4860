package io.onceflow.quarkus.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.message.Command;
import org.junit.jupiter.api.Test;

class ReplySenderCheckTest {

  @Command(value = "flight.reserve", of = "airline")
  record Named() {}

  @Command("flight.cancel")
  record Unnamed() {}

  @Test
  void refusesAnApplicationThatItsCommandsDoNotName() {
    assertThat(ReplySenderCheck.contradiction(Named.class, "airlines").orElseThrow())
        .contains("Named is annotated with @Command(of = \"airline\")", "is named airlines");
    assertThat(ReplySenderCheck.contradiction(Named.class, "airline")).isEmpty();
    assertThat(ReplySenderCheck.contradiction(Unnamed.class, "airlines")).isEmpty();
  }

  @Test
  void warnsWhereOrchestratorsExpectAnotherName() {
    assertThat(ReplySenderCheck.doubt(Unnamed.class, "airline").orElseThrow())
        .contains(
            "from flight-service",
            "onceflow.saga.replies.participants.flight=airline",
            "@Command(value = \"flight.cancel\", of = \"airline\")");
    assertThat(ReplySenderCheck.doubt(Unnamed.class, "flight-service")).isEmpty();
    assertThat(ReplySenderCheck.doubt(Named.class, "airline")).isEmpty();
  }
}
