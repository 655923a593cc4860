package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every store of the guard must do, whatever it is made of. A store passes by a subclass that
 * says how to begin a transaction on it.
 */
@Timeout(60)
public abstract class IdempotencyStoreLaws {

  private static final Fingerprint PRINT = Fingerprint.of("the request".getBytes(UTF_8));
  private static final Fingerprint OTHER = Fingerprint.of("another".getBytes(UTF_8));
  private static final Duration KEPT = Duration.ofHours(1);

  private final String scope = "user-" + UUID.randomUUID();
  private final IdempotencyKey key = new IdempotencyKey(UUID.randomUUID().toString());

  /** A transaction on the store under test; closed without a commit it leaves nothing behind. */
  protected interface Tx extends AutoCloseable {

    Claim claim(String scope, IdempotencyKey key, Fingerprint print, Duration kept)
        throws Exception;

    void complete(String scope, IdempotencyKey key, StoredResponse response) throws Exception;

    void commit() throws Exception;

    @Override
    void close();
  }

  /** Begins a transaction. */
  protected abstract Tx begin() throws Exception;

  /** Makes an hour pass for this record. */
  protected abstract void expire(String scope, IdempotencyKey key) throws Exception;

  @Test
  void aFirstClaimIsWon() throws Exception {
    try (Tx tx = begin()) {
      assertThat(claim(tx)).isInstanceOf(Claim.Won.class);
    }
  }

  @Test
  void ofManyClaimsAtOnceOneIsWon() throws Exception {
    int clients = 16;
    CyclicBarrier atOnce = new CyclicBarrier(clients);
    List<Claim> claims =
        together(
            clients,
            () -> {
              try (Tx tx = begin()) {
                atOnce.await();
                Claim claim = claim(tx);
                // Nobody ends before all have claimed.
                atOnce.await();
                return claim;
              }
            });
    assertThat(claims).filteredOn(Claim.Won.class::isInstance).hasSize(1);
    assertThat(claims).filteredOn(Claim.InProgress.class::isInstance).hasSize(clients - 1);
  }

  @Test
  void aClaimThatIsRolledBackLeavesNothing() throws Exception {
    try (Tx tx = begin()) {
      claim(tx);
      tx.complete(scope, key, response("never sent"));
    }
    try (Tx tx = begin()) {
      assertThat(claim(tx)).isInstanceOf(Claim.Won.class);
    }
  }

  /** Would not end if the second waited for the first: both are held by one thread. */
  @Test
  void anUnfinishedOneIsToldWithoutWaiting() throws Exception {
    try (Tx first = begin();
        Tx second = begin()) {
      claim(first);
      assertThat(claim(second)).isInstanceOf(Claim.InProgress.class);
      first.complete(scope, key, response("done, but not committed"));
      assertThat(claim(second)).isInstanceOf(Claim.InProgress.class);
    }
  }

  @Test
  void aCompletedOneIsFoundWithItsExactBytes() throws Exception {
    byte[] everyByte = new byte[256];
    IntStream.range(0, 256).forEach(i -> everyByte[i] = (byte) i);
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put("X-Zulu", List.of("first", "second, with a comma"));
    headers.put("Location", List.of("/things/1"));
    headers.put("X-Alpha", List.of("\"quoted\" \\ žluť"));
    run(new StoredResponse(299, headers, everyByte));
    StoredResponse found = find();
    assertThat(found.status()).isEqualTo(299);
    assertThat(found.body()).isEqualTo(everyByte);
    assertThat(found.headers()).isEqualTo(headers);
    assertThat(found.headers().keySet()).containsExactly("X-Zulu", "Location", "X-Alpha");
  }

  @Test
  void anAnswerWithoutABodyHasNone() throws Exception {
    run(new StoredResponse(204, Map.of(), new byte[0]));
    assertThat(find().body()).isEmpty();
    assertThat(find().headers()).isEmpty();
  }

  @Test
  void theFirstAnswerStandsHoweverOftenItIsAskedFor() throws Exception {
    run(response("first"));
    for (int i = 0; i < 3; i++) {
      assertThat(find().body()).isEqualTo("first".getBytes(UTF_8));
    }
  }

  @Test
  void manyFindACompletedOneAtOnce() throws Exception {
    run(response("done"));
    int clients = 16;
    CyclicBarrier atOnce = new CyclicBarrier(clients);
    List<Claim> claims =
        together(
            clients,
            () -> {
              try (Tx tx = begin()) {
                atOnce.await();
                return claim(tx);
              }
            });
    assertThat(claims).allMatch(Claim.Done.class::isInstance);
  }

  @Test
  void anotherFingerprintIsTold() throws Exception {
    run(response("done"));
    try (Tx tx = begin()) {
      assertThat(tx.claim(scope, key, OTHER, KEPT)).isInstanceOf(Claim.Reused.class);
    }
  }

  @Test
  void scopesDoNotMeet() throws Exception {
    run(response("mine"));
    try (Tx tx = begin()) {
      assertThat(tx.claim(scope + "2", key, OTHER, KEPT)).isInstanceOf(Claim.Won.class);
      assertThat(claim(tx)).isInstanceOf(Claim.Done.class);
    }
  }

  @Test
  void scopeAndKeyDoNotRunTogether() throws Exception {
    try (Tx tx = begin();
        Tx other = begin()) {
      assertThat(tx.claim("a", new IdempotencyKey("b" + key), PRINT, KEPT))
          .isInstanceOf(Claim.Won.class);
      assertThat(other.claim("ab", key, PRINT, KEPT)).isInstanceOf(Claim.Won.class);
    }
  }

  @Test
  void anExpiredOneIsAsNewAlsoForAnotherRequest() throws Exception {
    run(response("old"));
    expire(scope, key);
    try (Tx tx = begin()) {
      assertThat(tx.claim(scope, key, OTHER, KEPT)).isInstanceOf(Claim.Won.class);
      tx.complete(scope, key, response("new"));
      tx.commit();
    }
    try (Tx tx = begin()) {
      assertThat(tx.claim(scope, key, OTHER, KEPT))
          .isInstanceOfSatisfying(
              Claim.Done.class,
              done -> assertThat(done.response().body()).isEqualTo("new".getBytes(UTF_8)));
    }
  }

  @Test
  void anExpiredOneThatRunsAgainIsToldWithoutWaiting() throws Exception {
    run(response("old"));
    expire(scope, key);
    try (Tx first = begin();
        Tx second = begin()) {
      assertThat(claim(first)).isInstanceOf(Claim.Won.class);
      assertThat(claim(second)).isInstanceOf(Claim.InProgress.class);
    }
  }

  private Claim claim(Tx tx) throws Exception {
    return tx.claim(scope, key, PRINT, KEPT);
  }

  private void run(StoredResponse response) throws Exception {
    try (Tx tx = begin()) {
      assertThat(claim(tx)).isInstanceOf(Claim.Won.class);
      tx.complete(scope, key, response);
      tx.commit();
    }
  }

  private StoredResponse find() throws Exception {
    try (Tx tx = begin()) {
      Claim claim = claim(tx);
      assertThat(claim).isInstanceOf(Claim.Done.class);
      return ((Claim.Done) claim).response();
    }
  }

  private static StoredResponse response(String body) {
    return new StoredResponse(200, Map.of(), body.getBytes(UTF_8));
  }

  private static <T> List<T> together(int clients, Callable<T> what) throws Exception {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (Future<T> result :
          IntStream.range(0, clients).mapToObj(i -> threads.submit(what)).toList()) {
        results.add(result.get());
      }
    }
    return results;
  }
}
