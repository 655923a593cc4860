package io.onceflow.saga;

import static io.onceflow.saga.Limit.running;
import static io.onceflow.saga.Limit.starting;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimitTest {

  static Stream<Limit<Journey>> limitsThatLetNoSagaStart() {
    return Stream.of(
        running(0).inAll(),
        starting(0, Duration.ofSeconds(1)).inAll(),
        starting(1, Duration.ZERO).inAll(),
        starting(1, Duration.ofSeconds(-1)).inAll());
  }

  @ParameterizedTest
  @MethodSource("limitsThatLetNoSagaStart")
  void refusesALimitThatLetsNoSagaStart(Limit<Journey> limit) {
    SagaDefinition<Journey> definition = saga("journey", 1, pack());
    assertThatThrownBy(() -> definition.limit(limit))
        .hasMessageContainingAll("saga \"journey\" is limited to", "allow at least one");
  }

  @Test
  void takesThePlaceOfAnEarlierLimit() {
    Limit<Journey> later = starting(1, Duration.ofSeconds(1)).inAll();
    assertThat(saga("journey", 1, pack()).limit(running(1).inAll()).limit(later).limit())
        .contains(later);
  }

  @Test
  void aPriorityIsOfThoseThatWaitForOthersToEnd() {
    SagaDefinition<Journey> limited = saga("journey", 1, pack()).limit(running(1).inAll());
    assertThat(limited.priority(journey -> 7).limit())
        .hasValueSatisfying(
            limit ->
                assertThat(
                        ((Limit.OfRunning<Journey>) limit).priority().applyAsInt(Journey.journey()))
                    .isEqualTo(7));
    assertThatThrownBy(() -> saga("journey", 1, pack()).priority(journey -> 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("say limit(running(...)) first");
  }

  private static Step<Journey> pack() {
    return step("pack").run((Journey journey) -> journey.marked("pack"));
  }
}
