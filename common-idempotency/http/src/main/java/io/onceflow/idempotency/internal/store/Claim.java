package io.onceflow.idempotency.internal.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The result of claiming a key. */
public sealed interface Claim {

  /** The key was unused, or its lease had expired: the request runs. */
  record Won(Ownership ownership) implements Claim {}

  /** The same request has been answered. */
  record Done(CompletedResponse kept) implements Claim {}

  /** The key was used for another request. */
  record Reused() implements Claim {}

  /**
   * A request that has not ended.
   *
   * @param age since it was claimed; null while the claim is in an open transaction of another
   *     request, whose rows are not visible
   * @param leaseLeft until it may be taken over, unless it is renewed; null as {@code age}
   * @param isAccepted true if its caller was answered 202 and it runs in the background
   */
  record InProgress(@Nullable Duration age, @Nullable Duration leaseLeft, boolean isAccepted)
      implements Claim {

    /** One that runs, and of which nothing else is known. */
    public static InProgress unseen() {
      return new InProgress(null, null, false);
    }
  }
}
