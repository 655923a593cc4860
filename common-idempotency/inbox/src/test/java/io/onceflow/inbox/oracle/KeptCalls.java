package io.onceflow.inbox.oracle;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.call.CallExecutor;
import io.onceflow.inbox.internal.call.CallLane;
import io.onceflow.inbox.internal.call.CallResult;
import io.onceflow.inbox.internal.participant.PendingCall;
import java.util.ArrayList;
import java.util.List;

/** Keeps calls until a test makes them. */
final class KeptCalls extends CallExecutor {

  private final List<PendingCall> kept = new ArrayList<>();

  KeptCalls(InboxConfig config, MeterRegistry metrics) {
    super(config, KeptCalls::refuse, metrics);
  }

  private static void refuse(CallResult result) {
    throw new AssertionError(result.leased().command() + " found no place", result.failure());
  }

  @Override
  protected void call(PendingCall step, CallLane<PendingCall> lane) {
    kept.add(step);
  }

  List<PendingCall> kept() {
    return List.copyOf(kept);
  }

  /** The one call that is kept. */
  PendingCall only() {
    if (kept.size() != 1) {
      throw new AssertionError("not one call, but " + kept);
    }
    return kept.getFirst();
  }

  /** The one call that is kept; it ends, and its place is free again. */
  PendingCall end() {
    PendingCall ended = only();
    kept.clear();
    lane(ended.type()).leave(ended.scope());
    return ended;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("processes do not stop here, they die");
  }
}
