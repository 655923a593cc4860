package io.onceflow.payment.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.StepKey;
import io.onceflow.inbox.CannotHandle;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReturnPaymentTest {

  private static final Instant LATER = AnOrder.NOW.plusSeconds(60);

  private final BooksOnPaper gateway = BooksOnPaper.charging();
  private final ReturnPayment handler = new ReturnPayment(gateway);

  @Test
  void givesBackWhatWasCharged() throws Exception {
    Decision<Payment> decision = decide(new Found.Done<>(AnOrder.charged()));

    assertThat(decision).isInstanceOf(Decision.CallOut.class);
    Decision.Answer<Payment> answer =
        ((Decision.CallOut<Payment>) decision)
            .call()
            .with("alice", new StepKey(new IdempotencyKey("return-root"), "return-payment"));
    assertThat(answer.reply()).isEqualTo(AnOrder.paymentReturned());
    assertThat(answer.rows()).containsExactly(AnOrder.charged().refundedAt(LATER));
    assertThat(gateway.asked)
        .as("under the charge's own refund key, as a refund would be")
        .containsExactly("refund 2500 of ch_0199c3a460217a5b as root:refund-payment of alice");
  }

  @Test
  void saysHowMuchIsBackWhenItWasGivenBackBefore() {
    assertThat(decide(new Found.Done<>(AnOrder.charged().refundedAt(AnOrder.NOW))))
        .isEqualTo(Decision.reply(AnOrder.paymentReturned()));
    assertThat(gateway.asked).isEmpty();
  }

  @Test
  void doesNotClaimThatMoneyIsBackWhichWasNeverCharged() {
    assertThatThrownBy(() -> decide(new Found.Nothing<>())).isInstanceOf(CannotHandle.class);
    assertThatThrownBy(() -> decide(new Found.Done<>(AnOrder.declined())))
        .isInstanceOf(CannotHandle.class)
        .hasMessageContaining(AnOrder.ID.toString());
  }

  @Test
  void isNoCompensation() {
    assertThat(handler.undoes()).isEmpty();
  }

  private Decision<Payment> decide(Found<Payment> charge) {
    return handler.decide(AnOrder.returnPayment(), charge, LATER);
  }
}
