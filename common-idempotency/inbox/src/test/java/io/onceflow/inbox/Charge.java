package io.onceflow.inbox;

import java.util.UUID;

/** A test's business row: what was taken for a subject, or that it was declined. */
public record Charge(UUID subject, long amount, Status status, String reference) {

  enum Status {
    CHARGED,
    REFUNDED
  }

  Charge refunded() {
    return new Charge(subject, amount, Status.REFUNDED, reference);
  }
}
