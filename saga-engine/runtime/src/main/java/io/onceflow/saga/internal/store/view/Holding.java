package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.store.StoredSaga;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a saga allows that is on hold, or is to be. */
public final class Holding {

  private Holding() {}

  /** Why it cannot be held; empty where it can. */
  public static Optional<String> objectionToHold(StoredSaga saga) {
    @Nullable Hold hold = saga.hold();
    if (hold != null) {
      return Optional.of("it is on hold already, %s".formatted(whose(hold)));
    }
    return saga.reached().status().isEnd()
        ? Optional.of("it has ended as " + saga.reached().status())
        : Optional.empty();
  }

  /** Why it cannot be resumed alone; empty where it can. */
  public static Optional<String> objectionToResume(StoredSaga saga) {
    @Nullable Hold hold = saga.hold();
    if (hold == null) {
      return Optional.of("it is not on hold");
    }
    return hold.definition()
        ? Optional.of(
            "its definition %s is on hold, %s; resume the definition"
                .formatted(saga.reached().definition(), whose(hold)))
        : Optional.empty();
  }

  /** The answer to a request that would move it. */
  public static OperatorAnswer.Refused refused(StoredSaga saga, Hold hold) {
    return new OperatorAnswer.Refused(
        saga.reached(), "it is on hold, %s; resume it first".formatted(whose(hold)));
  }

  private static String whose(Hold hold) {
    return "by %s since %s".formatted(hold.by(), hold.since());
  }
}
