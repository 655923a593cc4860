package io.onceflow.idempotency.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.PostgresProcess;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.idempotency.oracle.GuardOracle.Event;
import io.onceflow.idempotency.oracle.GuardOracle.Kind;
import io.onceflow.idempotency.oracle.GuardOracle.State;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.test.stores.StoreUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random interleavings of three processes with one PostgreSQL store: after each event the records,
 * and what a process is told, are what {@link GuardOracle} says. {@code -Donceflow.oracle.seed=N}
 * repeats one.
 *
 * <p>Seen red without the fencing token in {@code IdempotencyRecordTable}'s completion, and without
 * the comparison of fingerprints in {@code PostgresStore}.
 */
class GuardOracleTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("guard_oracle");
  private static final Duration HOUR = Duration.ofHours(1);

  /** The night walks more. */
  private static final int WALKS = Integer.getInteger("onceflow.oracle.walks", 100);

  private static final int LENGTH = 30;

  private final Set<Kind> happened = EnumSet.noneOf(Kind.class);

  @Test
  void theStoreDoesWhatTheSpecificationSays() throws Exception {
    Long only = Long.getLong("onceflow.oracle.seed");
    long fresh = System.nanoTime();
    long[] seeds =
        only != null
            ? new long[] {only}
            : LongStream.concat(
                    LongStream.range(0, WALKS), LongStream.range(fresh, fresh + WALKS / 10))
                .toArray();
    for (long seed : seeds) {
      new Walk(seed).walk();
    }
    assertThat(only != null || happened.equals(EnumSet.allOf(Kind.class))).isTrue();
  }

  private final class Walk {

    private final long seed;
    private final String scope = UUID.randomUUID().toString();
    private final PostgresProcess[] processes = new PostgresProcess[3];
    private final Map<Integer, Ownership> owned = new HashMap<>();
    private final Map<Long, Integer> runs = new HashMap<>();
    private final List<Event> trace = new ArrayList<>();
    private State expected = State.start();

    private Walk(long seed) {
      this.seed = seed;
    }

    private void walk() throws Exception {
      Random random = new Random(seed);
      for (int i = 0; i < processes.length; i++) {
        processes[i] = new PostgresProcess(DATABASE);
      }
      try {
        for (int i = 0; i < LENGTH; i++) {
          happen(any(GuardOracle.possible(expected), random));
        }
      } finally {
        for (PostgresProcess process : processes) {
          process.close();
        }
      }
    }

    private void happen(Event event) throws Exception {
      trace.add(event);
      happened.add(event.kind());
      var step = GuardOracle.after(expected, event);
      expected = step.next();
      assertThat(happenToStore(event)).as("seed %s: %s", seed, trace).isEqualTo(step.said());
      assertThat(visible()).as("seed %s: %s", seed, trace).isEqualTo(expected.visible());
    }

    private String happenToStore(Event event) throws Exception {
      PostgresProcess process = processes[event.replica()];
      switch (event.kind()) {
        case CLAIM -> {
          return claim(process, event);
        }
        case LEASE_ENDS -> endLease(event.mode());
        case COMPLETE -> {
          return complete(process, ended(event));
        }
        case FAIL_COMMIT -> {
          Ownership own = ended(event);
          process.store().complete(own, answer(own));
          process.rollBack();
        }
        case RENEW -> {
          Ownership own = Objects.requireNonNull(owned.get(event.replica()));
          return process.store().renew(List.of(own)).isEmpty() ? "held" : "lost";
        }
        case HAND_OVER -> process.store().handOver(ended(event));
        case RELEASE -> process.store().release(ended(event));
        case CRASH -> {
          owned.remove(event.replica());
          process.close();
        }
      }
      return "";
    }

    /** The claim of a run that ends. */
    private Ownership ended(Event event) {
      return Objects.requireNonNull(owned.remove(event.replica()));
    }

    private String claim(PostgresProcess process, Event event) throws Exception {
      Claim claim =
          StoreUnderTest.claim(
              process,
              new ClaimRequest(
                  key(event.mode()),
                  Fingerprint.of(event.body().getBytes(UTF_8)),
                  "order",
                  event.mode(),
                  HOUR,
                  HOUR));
      if (claim instanceof Claim.Won(Ownership own)) {
        owned.put(event.replica(), own);
        runs.put(own.token(), runs.size() + 1);
        return own.isTakenOver() ? "taken over" : "won";
      }
      process.rollBack();
      return switch (claim) {
        case Claim.Done done -> "answered by " + new String(done.kept().response().body(), UTF_8);
        case Claim.Reused reused -> "another body";
        default -> "in progress";
      };
    }

    private String complete(PostgresProcess process, Ownership own) throws Exception {
      if (own.request().isLeased()) {
        process.begin();
      }
      try {
        StoreUnderTest.keep(process, own, answer(own));
        return "stored";
      } catch (LeaseLost lost) {
        process.rollBack();
        return "lost";
      }
    }

    private StoredResponse answer(Ownership own) {
      return new StoredResponse(201, Map.of(), ("run " + runs.get(own.token())).getBytes(UTF_8));
    }

    private ScopedKey key(Mode mode) {
      return new ScopedKey(scope, new IdempotencyKey(mode.name()));
    }

    private void endLease(Mode mode) {
      DATABASE.update(
          """
          UPDATE idempotency_record
          SET    lease_expires_at = now() - interval '1 ms'
          WHERE  scope = ?
          AND    key = ?
          """,
          scope,
          mode.name());
    }

    /** The run that claimed a record is told by its token. */
    private List<String> visible() {
      return DATABASE
          .texts(
              """
              SELECT   concat_ws(' ', key, status, fencing_token, lease_expires_at > now())
              FROM     idempotency_record
              WHERE    scope = ?
              ORDER BY key
              """,
              scope)
          .stream()
          .map(line -> line.split(" "))
          .map(
              row ->
                  "%s: %s, run %s%s"
                      .formatted(
                          row[0],
                          row[1],
                          runs.get(Long.valueOf(row[2])),
                          row.length == 4 && row[3].equals("t") ? ", leased" : ""))
          .toList();
    }
  }

  private static Event any(List<Event> possible, Random random) {
    int left = random.nextInt(possible.stream().mapToInt(it -> it.kind().weight()).sum());
    for (Event event : possible) {
      left -= event.kind().weight();
      if (left < 0) {
        return event;
      }
    }
    throw new IllegalStateException("the weights of " + possible);
  }
}
