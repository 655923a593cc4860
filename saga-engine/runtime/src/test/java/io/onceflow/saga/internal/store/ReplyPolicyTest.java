package io.onceflow.saga.internal.store;

import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.message.Command;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplyPolicyTest {

  @Command(value = "flight.reserve", of = "airline")
  record ReserveFlight(String trip) {}

  @Command("flight.upgrade")
  record UpgradeFlight(String trip) {}

  @Command(value = "flight.cater", of = "caterer")
  record CaterFlight(String trip) {}

  @Command("hotel.book")
  record BookHotel(String trip) {}

  private static <C extends Record> SagaDefinition<String> sending(
      Class<C> command, java.util.function.Function<String, C> payload) {
    return saga(command.getSimpleName(), 1, step("ask").send(command, payload));
  }

  private static final List<SagaDefinition<String>> TRIPS =
      List.of(
          sending(ReserveFlight.class, ReserveFlight::new),
          sending(UpgradeFlight.class, UpgradeFlight::new),
          sending(BookHotel.class, BookHotel::new));

  @Test
  void believesTheParticipantThatACommandNames() {
    ReplyPolicy policy = ReplyPolicy.of("trips", TRIPS, Map.of());

    assertThat(policy.participantOf("flight.reserve")).isEqualTo("airline");
    assertThat(policy.participantOf("flight.upgrade")).as("of the same queue").isEqualTo("airline");
    assertThat(policy.participantOf("hotel.book")).isEqualTo("hotel-service");
  }

  @Test
  void believesConfigurationBefore() {
    ReplyPolicy policy =
        ReplyPolicy.of("trips", TRIPS, Map.of("flight", "carrier", "hotel", "hotels"));

    assertThat(policy.participantOf("flight.reserve")).isEqualTo("carrier");
    assertThat(policy.participantOf("hotel.book")).isEqualTo("hotels");
  }

  @Test
  void refusesTwoParticipantsOfOneQueue() {
    List<SagaDefinition<String>> both =
        List.of(TRIPS.getFirst(), sending(CaterFlight.class, CaterFlight::new));

    assertThatThrownBy(() -> ReplyPolicy.of("trips", both, Map.of()))
        .isInstanceOf(SagaDefinitionInvalid.class)
        .hasMessageContaining("ReserveFlight is of \"airline\" and CaterFlight is of \"caterer\"")
        .hasMessageContaining("begin with \"flight\"");
  }
}
