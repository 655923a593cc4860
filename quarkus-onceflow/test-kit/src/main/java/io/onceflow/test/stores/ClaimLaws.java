package io.onceflow.test.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every store must do with claims and answers, in either mode. */
@Timeout(60)
public abstract class ClaimLaws extends StoreUnderTest {

  @ParameterizedTest
  @EnumSource
  public void aFirstClaimIsWon(Mode mode) throws Exception {
    assertThat(ask(mode)).isInstanceOf(Claim.Won.class);
  }

  @ParameterizedTest
  @EnumSource
  public void ofManyClaimsAtOnceOneIsWon(Mode mode) throws Exception {
    int clients = 16;
    CyclicBarrier claimed = new CyclicBarrier(clients);
    List<Claim> claims =
        together(
            clients,
            () -> {
              try (OneProcess process = process()) {
                Claim claim = claim(process, request(mode));
                // None ends before all have claimed.
                claimed.await();
                return claim;
              }
            });
    assertThat(claims).filteredOn(Claim.Won.class::isInstance).hasSize(1);
    assertThat(claims).filteredOn(Claim.InProgress.class::isInstance).hasSize(clients - 1);
  }

  /** A record may go between the two looks that a claim takes at it; none must fail. */
  @ParameterizedTest
  @EnumSource
  public void aKeyThatComesAndGoesHasOneOwnerAtATime(Mode mode) throws Exception {
    AtomicInteger owners = new AtomicInteger();
    List<Integer> most =
        together(
            8,
            () -> {
              int seen = 0;
              for (int turn = 0; turn < 25; turn++) {
                seen = Math.max(seen, ownersWhileItIsOwned(mode, owners));
              }
              return seen;
            });
    assertThat(Collections.max(most)).as("owners at the same time").isEqualTo(1);
  }

  private int ownersWhileItIsOwned(Mode mode, AtomicInteger owners) throws Exception {
    try (OneProcess process = process()) {
      Claim claim = claim(process, request(mode));
      if (!(claim instanceof Claim.Won(Ownership own))) {
        assertThat(claim).isInstanceOf(Claim.InProgress.class);
        return 0;
      }
      int now = owners.incrementAndGet();
      // Takes a moment, in which others come.
      process.store().find(key);
      owners.decrementAndGet();
      giveUp(process, own);
      return now;
    }
  }

  @ParameterizedTest
  @EnumSource
  public void aClaimThatIsGivenUpLeavesNothing(Mode mode) throws Exception {
    try (OneProcess process = process()) {
      giveUp(process, start(process, mode));
    }
    assertThat(ask(mode)).isInstanceOf(Claim.Won.class);
  }

  @ParameterizedTest
  @EnumSource
  public void anAnswerThatIsRolledBackIsNotKept(Mode mode) throws Exception {
    try (OneProcess process = process()) {
      Ownership own = start(process, mode);
      process.store().complete(own, response("never sent"));
      giveUp(process, own);
    }
    assertThat(ask(mode)).isInstanceOf(Claim.Won.class);
  }

  /** Would not end if the second waited for the first: both are held by one thread. */
  @ParameterizedTest
  @EnumSource
  public void anUnfinishedOneIsToldWithoutWaiting(Mode mode) throws Exception {
    try (OneProcess first = process()) {
      Ownership own = start(first, mode);
      assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
      first.store().complete(own, response("done, but not committed"));
      assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  public void aCompletedOneIsFoundWithItsExactBytes(Mode mode) throws Exception {
    byte[] everyByte = new byte[256];
    IntStream.range(0, 256).forEach(i -> everyByte[i] = (byte) i);
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put("X-Zulu", List.of("first", "second, with a comma"));
    headers.put("Location", List.of("/things/1"));
    headers.put("X-Alpha", List.of("\"quoted\" \\ žluť"));
    run(mode, new StoredResponse(299, headers, everyByte));
    StoredResponse found = find(mode);
    assertThat(found.status()).isEqualTo(299);
    assertThat(found.body()).isEqualTo(everyByte);
    assertThat(found.headers()).isEqualTo(headers);
    assertThat(found.headers().keySet()).containsExactly("X-Zulu", "Location", "X-Alpha");
  }

  @ParameterizedTest
  @EnumSource
  public void anAnswerWithoutABodyHasNone(Mode mode) throws Exception {
    run(mode, new StoredResponse(204, Map.of(), new byte[0]));
    assertThat(find(mode).body()).isEmpty();
    assertThat(find(mode).headers()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  public void theFirstAnswerStandsHoweverOftenItIsAskedFor(Mode mode) throws Exception {
    run(mode, response("first"));
    for (int i = 0; i < 3; i++) {
      assertThat(find(mode).body()).isEqualTo("first".getBytes(UTF_8));
    }
  }

  @ParameterizedTest
  @EnumSource
  public void manyFindACompletedOneAtOnce(Mode mode) throws Exception {
    run(mode, response("done"));
    int clients = 16;
    List<Claim> claims = together(clients, () -> ask(mode));
    // A claim that comes while another looks may be told to come again, but is never won.
    assertThat(claims).noneMatch(Claim.Won.class::isInstance);
    assertThat(ask(mode)).isInstanceOf(Claim.Done.class);
  }

  @ParameterizedTest
  @EnumSource
  public void anotherFingerprintIsTold(Mode mode) throws Exception {
    run(mode, response("done"));
    assertThat(ask(request(mode, OTHER))).isInstanceOf(Claim.Reused.class);
    assertThat(find(mode).body()).isEqualTo("done".getBytes(UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  public void scopesDoNotMeet(Mode mode) throws Exception {
    run(mode, response("mine"));
    assertThat(ask(underKey(mode, key.scope() + "2", key.key().value())))
        .isInstanceOf(Claim.Won.class);
    assertThat(ask(mode)).isInstanceOf(Claim.Done.class);
  }

  @ParameterizedTest
  @EnumSource
  public void scopeAndKeyDoNotRunTogether(Mode mode) throws Exception {
    String tail = key.key().value();
    try (OneProcess first = process()) {
      start(first, underKey(mode, "a" + key.scope(), "b" + tail));
      assertThat(ask(underKey(mode, "a" + key.scope() + "b", tail))).isInstanceOf(Claim.Won.class);
      assertThat(ask(underKey(mode, "a" + key.scope() + ":b", tail))).isInstanceOf(Claim.Won.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  public void anExpiredOneIsAsNewAlsoForAnotherRequest(Mode mode) throws Exception {
    run(mode, response("old"));
    expire(key);
    try (OneProcess process = process()) {
      keep(process, start(process, request(mode, OTHER)), response("new"));
    }
    assertThat(ask(request(mode, OTHER)))
        .isInstanceOfSatisfying(
            Claim.Done.class,
            done -> assertThat(done.kept().response().body()).isEqualTo("new".getBytes(UTF_8)));
  }

  @ParameterizedTest
  @EnumSource
  public void anExpiredOneThatRunsAgainIsToldWithoutWaiting(Mode mode) throws Exception {
    run(mode, response("old"));
    expire(key);
    try (OneProcess first = process()) {
      start(first, mode);
      assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
    }
  }

  @Test
  public void whatBecameOfAKeyIsTold() throws Exception {
    try (OneProcess process = process()) {
      IdempotencyStore store = process.store();
      assertThat(store.find(key)).isEmpty();
      Ownership own = win(process, Mode.LEASED);
      assertThat(store.find(key))
          .hasValueSatisfying(
              state -> {
                assertThat(state.response()).isNull();
                assertThat(state.createdAt()).isNotNull();
              });
      process.begin();
      keep(process, own, response("done"));
      assertThat(store.find(key))
          .hasValueSatisfying(
              state -> {
                assertThat(state.response()).isNotNull();
                assertThat(state.createdAt()).isBefore(state.expiresAt());
              });
    }
  }

  @Test
  public void aKeyInAnOpenTransactionIsToldToRun() throws Exception {
    try (OneProcess first = process();
        OneProcess second = process()) {
      first.begin();
      Ownership own = win(first, Mode.TRANSACTIONAL);
      assertThat(second.store().find(key))
          .hasValueSatisfying(state -> assertThat(state.response()).isNull());
      giveUp(first, own);
      assertThat(second.store().find(key)).isEmpty();
    }
  }

  private ClaimRequest underKey(Mode mode, String scope, String value) {
    ScopedKey other = new ScopedKey(scope, new IdempotencyKey(value));
    return new ClaimRequest(other, OTHER, operation, mode, LEASE, KEPT);
  }
}
