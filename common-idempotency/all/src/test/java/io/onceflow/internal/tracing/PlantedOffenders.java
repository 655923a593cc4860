package io.onceflow.internal.tracing;

import io.onceflow.outbox.Outbox;
import org.jspecify.annotations.Nullable;

/** Classes that break the rules of the architecture, each in one way; never used. */
public final class PlantedOffenders {

  private PlantedOffenders() {}

  static final class KnowsTheOutbox {
    @Nullable Outbox outbox;
  }

  /** For the rules' test, which is in another package. */
  public static Class<?> knowsTheOutbox() {
    return KnowsTheOutbox.class;
  }
}
