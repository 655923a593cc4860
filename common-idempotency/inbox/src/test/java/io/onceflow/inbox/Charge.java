package io.onceflow.inbox;

import java.util.UUID;

/** A test's business row: what was taken for a subject, or that it was declined. */
public record Charge(UUID subject, long amount, Status status, String reference) {

  /** What has become of it. */
  public enum Status {
    CHARGED,
    REFUNDED
  }

  /** The same, given back. */
  public Charge refunded() {
    return new Charge(subject, amount, Status.REFUNDED, reference);
  }
}
