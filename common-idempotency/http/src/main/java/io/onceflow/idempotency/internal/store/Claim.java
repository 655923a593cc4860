package io.onceflow.idempotency.internal.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a request finds under its key. */
public sealed interface Claim {

  /** Nothing, or an owner whose lease ended: the request runs. */
  record Won(Ownership ownership) implements Claim {}

  /** The same request, done. */
  record Done(CompletedResponse kept) implements Claim {}

  /** Another request. */
  record Reused() implements Claim {}

  /**
   * A request that has not ended.
   *
   * @param age since it was claimed; null where the claim is in another's open transaction, which
   *     nobody can look into
   * @param leaseLeft until it may be taken over, unless its owner gives a sign of life; null as
   *     {@code age}
   * @param isAccepted true when its caller was told 202 and it goes on in the background
   */
  record InProgress(@Nullable Duration age, @Nullable Duration leaseLeft, boolean isAccepted)
      implements Claim {

    /** One of which no more is known than that it runs. */
    public static InProgress unseen() {
      return new InProgress(null, null, false);
    }
  }
}
