package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.PostgresStore;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application may bring a store of its own; nothing has to be configured for that. */
@QuarkusTest
@TestProfile(OwnStoreTest.Own.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
@Tag("nightly")
class OwnStoreTest extends GuardedThings {

  @Inject CountingStore store;

  /** The application that has one. */
  public static final class Own implements QuarkusTestProfile {
    @Override
    public String getConfigProfile() {
      return "own-store";
    }
  }

  /** Counts the claims, and leaves them to PostgreSQL. */
  @Singleton
  @IfBuildProfile("own-store")
  static class CountingStore extends DelegatingStore {

    private final AtomicInteger claims = new AtomicInteger();

    @Inject
    CountingStore(PostgresStore postgres) {
      super(postgres);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      claims.incrementAndGet();
      return super.claim(request);
    }

    int claims() {
      return claims.get();
    }
  }

  @Test
  void isAskedInPlaceOfTheConfiguredOne() {
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    assertThat(ada.post("/things", key, body).isReplay()).isTrue();
    assertThat(store.claims()).isEqualTo(2);
  }
}
