package io.onceflow.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.saga.internal.store.SagaStore;
import io.quarkus.arc.Arc;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Classes that break the rule of {@link FunctionalCoreTest}, each in one way; never used. */
final class PlantedOffenders {

  private PlantedOffenders() {}

  static final class KnowsSql {
    @Nullable Connection connection;
  }

  static final class KnowsTheStore {
    @Nullable SagaStore store;
  }

  static final class KnowsJakarta {
    @Inject @Nullable UUID injected;
  }

  static final class KnowsQuarkus {
    Object container() {
      return Arc.container();
    }
  }

  static final class KnowsJackson {
    @Nullable ObjectMapper json;
  }

  static final class ReadsTheClock {
    Instant now() {
      return Instant.now();
    }
  }

  static final class KeepsAClock {
    @Nullable Clock clock;
  }

  static final class ThrowsDice {
    UUID dice() {
      return UUID.randomUUID();
    }
  }
}
