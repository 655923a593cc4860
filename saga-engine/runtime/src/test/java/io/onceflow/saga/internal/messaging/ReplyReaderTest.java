package io.onceflow.saga.internal.messaging;

import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.Reply;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a reply means to a saga: by its outcome, or else by its record's annotation. */
class ReplyReaderTest {

  @Command("flight.reserve")
  record ReserveFlight(String flight) {}

  @Done(ReserveFlight.class)
  record FlightReserved(String reference) {}

  record CardCharged(long amount, String reference) {}

  @Refused(ReserveFlight.class)
  record FlightRefused(String reason) {}

  @Refused(ReserveFlight.class)
  record NoSuchFlight() {}

  private static final SagaDefinition<String> DEFINITION =
      saga(
          "book-trip",
          1,
          step("reserve-flight").send((String it) -> new OutgoingCommand("A", "a.b", it)));

  private final ReplyReader reader =
      new ReplyReader(new ObjectMapper(), Map.of("FlightReserved", FlightReserved.class));

  @Test
  void aRecordOfASuccessIsOne() {
    Reply reply = read("FlightReserved", null, FlightReserved.class, "{\"reference\": \"R1\"}");

    assertThat(reply.refusal()).isEmpty();
    assertThat(reply.content()).isEqualTo(new FlightReserved("R1"));
    assertThat(reply.step()).isEqualTo("reserve-flight");
  }

  /** Seen red: it was parked where the application refuses unknown properties of requests. */
  @Test
  void aPropertyOfANewerParticipantIsPassedOver() {
    Reply reply =
        read(
            "FlightReserved",
            null,
            FlightReserved.class,
            "{\"reference\": \"R1\", \"seat\": \"12A\"}");

    assertThat(reply.content()).isEqualTo(new FlightReserved("R1"));
  }

  @Test
  void aPropertyThatIsThereTwiceHasNoValue() {
    assertThatThrownBy(
            () ->
                read(
                    "CardCharged",
                    null,
                    CardCharged.class,
                    "{\"amount\": 1, \"amount\": 2500, \"reference\": \"ch_1\"}"))
        .isInstanceOf(UnprocessableMessage.class)
        .hasMessageContaining("it has a property twice");
  }

  @Test
  void aRefusalSaysItsReasonInWords() {
    assertThat(
            read("FlightRefused", null, FlightRefused.class, "{\"reason\": \"no seats, left\"}")
                .refusal())
        .hasValue("NO_SEATS_LEFT");
  }

  @Test
  void aRefusalWithoutAReasonIsCalledAsItsRecordIs() {
    assertThat(read("NoSuchFlight", null, NoSuchFlight.class, "{}").refusal())
        .hasValue("NO_SUCH_FLIGHT");
    assertThat(read("FlightRefused", null, FlightRefused.class, "{\"reason\": null}").refusal())
        .hasValue("FLIGHT_REFUSED");
  }

  @Test
  void theOutcomeIsBelievedBeforeTheRecord() {
    Reply reply =
        read("FlightRefused", ReplyOutcome.UNAVAILABLE, FlightRefused.class, "{\"reason\": \"x\"}");

    assertThat(reply.refusal()).hasValue("UNAVAILABLE");
    assertThat(reply.isInDoubt()).isTrue();
  }

  /** Before: an order's payment was taken for done though its outcome said that it was not. */
  @ParameterizedTest
  @CsvSource({
    "REFUSED, FlightReserved, it",
    "CANCELLED, FlightReserved, it",
    "EXPIRED, FlightReserved, it",
    "UNAVAILABLE, FlightReserved, it",
    "PENDING, FlightReserved, it",
    "DONE, OwnRefused, it",
    "DONE, FlightRefused, it"
  })
  void aReplyThatContradictsItsOutcomeIsNotBelieved(
      ReplyOutcome outcome, String type, String value) {
    Map<String, Class<?>> records =
        Map.of(
            "FlightReserved", FlightReserved.class,
            "FlightRefused", FlightRefused.class,
            "OwnRefused", OwnRefused.class);
    String payload = "{\"reference\": \"%s\", \"reason\": \"%s\"}".formatted(value, value);

    assertThatThrownBy(() -> read(type, outcome, records.get(type), payload))
        .isInstanceOf(UnprocessableMessage.class)
        .hasMessageContaining(type)
        .hasMessageContaining("x-outcome is \"%s\"", outcome.name().toLowerCase(Locale.ROOT));
  }

  @Refused(ReserveFlight.class)
  record OwnRefused(String reason) implements Refused.WithReason {

    @Override
    public String refusalReason() {
      return "FLIGHT_" + reason;
    }
  }

  @ParameterizedTest
  @CsvSource({"REFUSED, false", "EXPIRED, false", "UNAVAILABLE, true"})
  void aRefusalMaySayItsReasonItself(ReplyOutcome outcome, boolean inDoubt) {
    Reply reply = read("OwnRefused", outcome, OwnRefused.class, "{\"reason\": \"FULL\"}");

    assertThat(reply.refusal()).hasValue("FLIGHT_FULL");
    assertThat(reply.isInDoubt()).isEqualTo(inDoubt);
  }

  /** Before: the database refused it, and it was parked after five attempts. */
  @Test
  void aNulInATextIsRefusedAtOnce() {
    assertThatThrownBy(
            () ->
                read("FlightReserved", null, FlightReserved.class, "{\"reference\": \"R\\u0000\"}"))
        .isInstanceOf(UnprocessableMessage.class)
        .hasMessageContaining("NUL");
    assertThat(
            read("FlightReserved", null, FlightReserved.class, "{\"reference\": \"R\\\\u0000\"}")
                .content())
        .as("a backslash and five characters")
        .isEqualTo(new FlightReserved("R\\u0000"));
  }

  @ParameterizedTest
  @CsvSource({
    "DONE, StepDone, '', false",
    "CANCELLED, StepCancelled, CANCELLED, false",
    "EXPIRED, StepExpired, EXPIRED, false",
    "UNAVAILABLE, StepUnavailable, UNAVAILABLE, true",
    "REFUSED, StepRefused, STEP_REFUSED, false"
  })
  void anAnswerOfTheProductIsReadWithoutARecord(
      ReplyOutcome outcome, String type, String refusal, boolean inDoubt) {
    Reply reply = reader.read(message(type, outcome, "{}"), DEFINITION, Map.of()).orElseThrow();

    assertThat(reply.refusal().orElse("")).isEqualTo(refusal);
    assertThat(reply.isInDoubt()).isEqualTo(inDoubt);
    assertThat(reply.content()).isNull();
  }

  private Reply read(String type, @Nullable ReplyOutcome outcome, Class<?> record, String payload) {
    ReplyOutcome annotated =
        record.isAnnotationPresent(Refused.class) ? ReplyOutcome.REFUSED : ReplyOutcome.DONE;
    ReplyOutcome says = Objects.requireNonNullElse(outcome, annotated);
    return reader.read(message(type, says, payload), record, "reserve-flight");
  }

  private static InboundMessage message(String type, ReplyOutcome outcome, String payload) {
    return new InboundMessage(
        null,
        type,
        1,
        new IdempotencyKey("key"),
        "ada",
        "trips/book-trip",
        "reserve-flight",
        null,
        outcome,
        "0199c3a4-6020-7d11-8c44-52a1b0c9d302",
        null,
        null,
        null,
        null,
        null,
        payload);
  }
}
