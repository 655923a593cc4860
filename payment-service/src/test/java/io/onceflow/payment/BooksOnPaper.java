package io.onceflow.payment;

import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A gateway that notes what it is asked for and answers what it was told to. */
final class BooksOnPaper implements PaymentGateway {

  final List<String> asked = new ArrayList<>();
  private final Outcome outcome;
  private @Nullable String refusal;

  BooksOnPaper(Outcome outcome) {
    this.outcome = outcome;
  }

  static BooksOnPaper charging() {
    return new BooksOnPaper(new Outcome.Charged(AnOrder.REFERENCE));
  }

  static BooksOnPaper refusingRefunds(String code) {
    BooksOnPaper refusing = charging();
    refusing.refusal = code;
    return refusing;
  }

  private void requireRefundable() {
    if (refusal != null) {
      throw new RefundRefused(refusal, new IllegalStateException("refused"));
    }
  }

  @Override
  public Outcome charge(CallKey key, ProcessPayment command) {
    asked.add(
        "charge %d %s as %s of %s"
            .formatted(command.amount(), command.currency(), key.step(), key.scope()));
    return outcome;
  }

  @Override
  public Optional<Annulled> annul(CallKey charge, UUID orderId) {
    requireRefundable();
    asked.add("annul %s of %s".formatted(charge.step(), charge.scope()));
    return outcome instanceof Outcome.Charged(String reference)
        ? Optional.of(new Annulled(reference, 2500, "EUR"))
        : Optional.empty();
  }

  @Override
  public void refund(CallKey key, UUID orderId, String charge, long amount) {
    requireRefundable();
    asked.add("refund %d of %s as %s of %s".formatted(amount, charge, key.step(), key.scope()));
  }
}
