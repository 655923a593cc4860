package io.onceflow.order.saga;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What participants say is recorded with the order and shown. Before: a reference of 200 kB, with
 * line breaks, with an escape sequence, or with characters that turn the direction was recorded.
 */
class ReplyTextsTest {

  private static final UUID ID = UUID.randomUUID();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "ch_1\nch_2",
        "ch_1\r",
        "ch_\u001b[2J1",
        "ch_\u202e1",
        "ch_\u2066",
        "ch_\u2028",
        "ch_\u200b",
        "ch_\ud800",
        "ch_\u0085",
        "ch_\ufeff"
      })
  void aReferenceThatCannotBeShownIsRefused(String reference) {
    assertRefused(reference);
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 200_000})
  void aReferenceIsBounded(int length) {
    assertRefused("x".repeat(length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ch_3MmlLrLkdIwHu7ix0snN0B15", "JD 0146 0000 1234 5678 90", "Nº 12/π"})
  void othersAreTaken(String reference) {
    assertThatCode(() -> payment(reference)).doesNotThrowAnyException();
    assertThatCode(() -> payment("x".repeat(255))).doesNotThrowAnyException();
  }

  private static void assertRefused(String reference) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> payment(reference))
        .withMessageContaining("gatewayReference");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrderReply.ShipmentArranged(ID, ID, reference))
        .withMessageContaining("trackingNumber");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrderReply.ReturnArranged(ID, ID, ID, reference))
        .withMessageContaining("trackingNumber");
  }

  private static OrderReply payment(String reference) {
    return new OrderReply.PaymentProcessed(ID, ID, 2500, "EUR", reference);
  }
}
