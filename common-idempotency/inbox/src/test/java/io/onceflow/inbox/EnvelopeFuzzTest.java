package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.UnreadablePayload;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * What a stranger with the broker's password puts on and into an envelope. By day it would only
 * replay the inputs beside it, for which Jazzer instruments all classes.
 */
@Tag("nightly")
class EnvelopeFuzzTest {

  private static final ObjectMapper JSON = new ObjectMapper().registerModule(new JavaTimeModule());

  /** It is in order and can be stored and read again, or there is a reason to park it. */
  @FuzzTest(maxDuration = "1m")
  void anEnvelopeIsReadOrParkedWithAReason(FuzzedDataProvider data) throws Exception {
    Map<String, String> headers = new HashMap<>();
    header(headers, MessageHeaders.IDEMPOTENCY_KEY, data);
    header(headers, MessageHeaders.IDEMPOTENCY_SCOPE, data);
    header(headers, MessageHeaders.MESSAGE_VERSION, data);
    header(headers, MessageHeaders.EXPIRES_AT, data);
    header(headers, MessageHeaders.TRACEPARENT, data);
    header(headers, MessageHeaders.SAGA_ORIGIN, data);
    header(headers, MessageHeaders.SAGA_STEP, data);
    header(headers, MessageHeaders.SAGA_UNDOES, data);
    header(headers, MessageHeaders.OUTCOME, data);
    Delivery delivery =
        new Delivery(
            "queue",
            text(data),
            text(data),
            text(data),
            text(data),
            headers,
            data.consumeRemainingAsBytes(),
            () -> {});
    InboundMessage message;
    try {
      message = InboundMessage.read(delivery);
    } catch (UnprocessableMessage why) {
      assertThat(why.reason()).isNotEqualTo(ParkingReason.HANDLING_FAILED);
      assertThat(why.getMessage()).isNotBlank();
      return;
    }
    String stored = JSON.writeValueAsString(message);
    assertThat(JSON.readValue(stored, InboundMessage.class).payload()).isEqualTo(message.payload());
  }

  /** What cannot be read says so without a word of what it is. */
  @FuzzTest(maxDuration = "30s")
  void whatCannotBeReadIsNotQuoted(FuzzedDataProvider data) {
    String secret = "s3cr3t_";
    String payload = data.consumeString(40) + secret + data.consumeRemainingAsString();
    try {
      JSON.readValue(payload, InboundMessage.class);
    } catch (Exception e) {
      assertThat(UnreadablePayload.why(e)).doesNotContain(secret);
    }
  }

  private static void header(Map<String, String> headers, String name, FuzzedDataProvider data) {
    Optional.ofNullable(text(data)).ifPresent(value -> headers.put(name, value));
  }

  private static @Nullable String text(FuzzedDataProvider data) {
    return data.consumeBoolean() ? data.consumeString(300) : null;
  }
}
