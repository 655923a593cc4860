package io.onceflow.core;

import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Classes that break the rules of the architecture, each in one way; never used. */
public final class PlantedOffenders {

  private PlantedOffenders() {}

  @ApplicationScoped
  static class KnowsCdi {
    @Nullable String name;
  }

  /** For the rules' test, which is in another package. */
  public static Class<?> knowsCdi() {
    return KnowsCdi.class;
  }
}
