package io.onceflow.redis.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.PostgresSharedLaws;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.SharedRecords.Decided;
import io.onceflow.idempotency.internal.store.SharedRecords.WriteResult;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** PostgreSQL with Redis in front keeps them too, and Redis tells what it knows. */
@Tag("nightly")
class HybridSharedTest extends PostgresSharedLaws {

  HybridSharedTest() {
    super(new HybridIdempotencyStoreTest());
  }

  @Test
  void aLookInTheCacheFindsWhatWasHandedOnAfterTheCommit() throws Exception {
    ClaimRequest mine = request(Mode.SHARED);
    try (OneProcess process = process()) {
      assertThat(shared(process).findCached(mine)).isEmpty();
      assertThat(shared(process).findCached(mine)).as("there is no marker").isEmpty();
      WriteResult.Written kept =
          (WriteResult.Written) keep(List.of(new Decided(mine, response("done")))).getFirst();
      process.store().committed(kept.own(), kept.response());
      assertThat(shared(process).findCached(mine))
          .containsInstanceOf(Claim.Done.class)
          .map(claim -> new String(((Claim.Done) claim).kept().response().body(), UTF_8))
          .contains("done");
      assertThat(shared(process).findCached(request(Mode.SHARED, OTHER)))
          .contains(new Claim.Reused());
    }
  }

  @Test
  void aLookRepairsWhatACrashAfterTheCommitHasLeftUndone() throws Exception {
    ClaimRequest mine = request(Mode.SHARED);
    keep(List.of(new Decided(mine, response("done"))));
    try (OneProcess process = process()) {
      assertThat(shared(process).findCached(mine)).isEmpty();
      assertThat(shared(process).find(List.of(mine))).containsOnlyKeys(mine);
      assertThat(shared(process).findCached(mine)).containsInstanceOf(Claim.Done.class);
    }
  }
}
