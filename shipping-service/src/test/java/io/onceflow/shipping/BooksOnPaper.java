package io.onceflow.shipping;

import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.Carrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A carrier that notes what it is asked for and answers what it was told to. */
final class BooksOnPaper implements Carrier {

  final List<String> asked = new ArrayList<>();
  private final Outcome outcome;
  private @Nullable String refusal;

  BooksOnPaper(Outcome outcome) {
    this.outcome = outcome;
  }

  static BooksOnPaper booking() {
    return new BooksOnPaper(new Outcome.Booked(AnOrder.TRACKING_NUMBER));
  }

  static BooksOnPaper refusingCancellations(String code) {
    BooksOnPaper refusing = booking();
    refusing.refusal = code;
    return refusing;
  }

  private void requireCancellable() {
    if (refusal != null) {
      throw new CancellationRefused(refusal, new IllegalStateException("refused"));
    }
  }

  @Override
  public Outcome book(CallKey key, ArrangeShipment command) {
    asked.add(
        "book for %s as %s of %s".formatted(command.address().city(), key.step(), key.scope()));
    return outcome;
  }

  @Override
  public Outcome fetch(CallKey key, ArrangeReturn command) {
    asked.add(
        "fetch from %s as %s of %s".formatted(command.address().city(), key.step(), key.scope()));
    return outcome;
  }

  @Override
  public Optional<String> annul(CallKey booking, UUID orderId) {
    requireCancellable();
    asked.add("annul %s of %s".formatted(booking.step(), booking.scope()));
    return outcome instanceof Outcome.Booked(String trackingNumber)
        ? Optional.of(trackingNumber)
        : Optional.empty();
  }

  @Override
  public void cancel(CallKey key, UUID orderId, String trackingNumber) {
    requireCancellable();
    asked.add("cancel %s as %s of %s".formatted(trackingNumber, key.step(), key.scope()));
  }
}
