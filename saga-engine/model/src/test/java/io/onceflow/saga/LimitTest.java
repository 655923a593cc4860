package io.onceflow.saga;

import static io.onceflow.saga.Limit.running;
import static io.onceflow.saga.Limit.starting;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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
  void hasOneOfEachKind() {
    SagaDefinition<Journey> limited = saga("journey", 1, pack());
    List<Limit<Journey>> all =
        List.of(
            running(3).per(Journey::id),
            starting(1, Duration.ofSeconds(1)).inAll(),
            running(3).inAll());
    for (Limit<Journey> limit : all) {
      limited = limited.limit(limit);
    }
    SagaLimits<Journey> limits = limited.limits();
    assertThat(limits.all()).containsExactlyElementsOf(all);
    assertThat(limits.runningOfKey()).hasValue((Limit.OfRunning<Journey>) all.get(0));
    assertThat(limits.starts()).hasValue((Limit.OfStarts<Journey>) all.get(1));
    assertThat(limits.runningInAll()).hasValue((Limit.OfRunning<Journey>) all.get(2));
  }

  static Stream<Arguments> limitsThatContradict() {
    Limit<Journey> aSecond = starting(5, Duration.ofSeconds(1)).inAll();
    return Stream.of(
        arguments(running(2).inAll(), running(3).inAll(), "has one limit of each kind"),
        arguments(
            running(2).per(Journey::id), running(2).per(Journey::marks), "one limit of each kind"),
        arguments(aSecond, starting(9, ofHours(1)).per(Journey::id), "one limit of each kind"),
        arguments(running(3).per(Journey::id), running(2).inAll(), "would never run"),
        arguments(running(2).inAll(), running(3).per(Journey::id), "would never run"));
  }

  @ParameterizedTest
  @MethodSource("limitsThatContradict")
  void refusesALimitThatContradictsAnother(
      Limit<Journey> one, Limit<Journey> other, String sentence) {
    SagaDefinition<Journey> limited = saga("journey", 1, pack()).limit(one);
    assertThatThrownBy(() -> limited.limit(other))
        .hasMessageContainingAll(
            "saga \"journey\" is limited to ", one.toString(), other.toString(), sentence);
  }

  @Test
  void aPriorityIsOfThoseThatWaitForOthersToEnd() {
    SagaDefinition<Journey> limited = saga("journey", 1, pack()).limit(running(1).inAll());
    assertThat(limited.priority(journey -> 7).limits().priority().applyAsInt(Journey.journey()))
        .isEqualTo(7);
    assertThatThrownBy(() -> saga("journey", 1, pack()).priority(journey -> 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("say limit(running(...)) first");
  }

  private static Step<Journey> pack() {
    return step("pack").run((Journey journey) -> journey.marked("pack"));
  }
}
