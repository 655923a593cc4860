package io.onceflow.redis.internal;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static io.onceflow.idempotency.Idempotent.Mode.TRANSACTIONAL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.Ownership;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a store must do besides that has Redis in front of PostgreSQL: answer from there, and never
 * be wrong, whatever becomes of Redis.
 */
@Timeout(60)
@Tag("nightly")
class RedisInFrontTest extends HybridUnderTest {

  @ParameterizedTest
  @EnumSource
  void anAnswerIsFoundWithoutPostgres(Mode mode) throws Exception {
    run(mode, response("done"));
    forgetInPostgres();
    assertDoneForItsRequestAlone(mode);
  }

  @ParameterizedTest
  @EnumSource
  void aMarkerSparesPostgresTheHerd(Mode mode) throws Exception {
    try (OneProcess process = process()) {
      start(process, mode);
      forgetInPostgres();
      assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerWhoseOwnerDiedBeforeItCachedItIsCachedByTheNextReader(Mode mode) throws Exception {
    commitAndDie(mode);
    assertThat(REDIS.hasAnswer(key)).isFalse();
    assertThat(ask(mode))
        .as("the marker of the dead request stands")
        .isInstanceOf(Claim.InProgress.class);
    REDIS.expireEntry(key);
    assertThat(find(mode).body()).isEqualTo("committed".getBytes(UTF_8));
    assertThat(REDIS.hasAnswer(key)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerIsCachedAgainAfterRedisWasEmptied(Mode mode) throws Exception {
    run(mode, response("done"));
    REDIS.empty();
    assertThat(find(mode).body()).isEqualTo("done".getBytes(UTF_8));
    assertThat(REDIS.hasAnswer(key)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void anEmptiedRedisLetsNobodyRunWhileTheFirstDoes(Mode mode) throws Exception {
    try (OneProcess process = process()) {
      Ownership own = start(process, mode);
      REDIS.empty();
      assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
      keep(process, own, response("done"));
    }
    assertThat(find(mode).body()).isEqualTo("done".getBytes(UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void aStoppedRedisLetsNobodyRunASecondTime(Mode mode) throws Exception {
    run(mode, response("done"));
    TestRedis.stop();
    assertDoneForItsRequestAlone(mode);
  }

  @ParameterizedTest
  @EnumSource
  void redisMayStopAndStartInTheMiddleOfARun(Mode mode) throws Exception {
    try (OneProcess process = process()) {
      Ownership own = start(process, mode);
      TestRedis.stop();
      assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
      keep(process, own, response("done"));
      TestRedis.start();
      assertThat(ask(mode)).isNotInstanceOf(Claim.Won.class);
    }
    assertRedisIsUsedAgain(mode);
  }

  @ParameterizedTest
  @EnumSource
  void whatBeganWithoutRedisIsHeldWithIt(Mode mode) throws Exception {
    TestRedis.stop();
    try (OneProcess process = process()) {
      Ownership own = start(process, mode);
      TestRedis.start();
      assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
      keep(process, own, response("done"));
    }
    assertRedisIsUsedAgain(mode);
  }

  /** From a backup that was made while it ran: its marker is there again, its answer is not. */
  @ParameterizedTest
  @EnumSource
  void anOldMarkerThatComesBackLetsNobodyRun(Mode mode) throws Exception {
    String entry = RedisKeys.entry(key);
    byte[] backup;
    Duration left;
    try (OneProcess process = process()) {
      Ownership own = start(process, mode);
      backup = REDIS.dump(entry);
      left = REDIS.timeToLive(entry);
      keep(process, own, response("done"));
    }
    REDIS.restore(entry, backup, left);
    assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
    REDIS.expireEntry(key);
    assertThat(find(mode).body()).isEqualTo("done".getBytes(UTF_8));
  }

  /** So an answer from an old backup is there again only while PostgreSQL's would be. */
  @Test
  void anAnswerEndsInRedisWhenPostgresForgetsIt() throws Exception {
    CompletedResponse kept;
    try (OneProcess process = process()) {
      Ownership own = start(process, LEASED);
      kept = process.store().complete(own, response("done"));
      process.commit();
      process.store().committed(own, kept);
    }
    Instant end = Instant.now().plus(REDIS.timeToLive(RedisKeys.entry(key)));
    assertThat(end).isCloseTo(kept.expiresAt(), within(5, ChronoUnit.SECONDS));
  }

  /** Its process stood still until the answer had expired, and only then comes to cache it. */
  @Test
  void anAnswerThatHasExpiredIsNotCached() throws Exception {
    try (OneProcess slow = process()) {
      Ownership own = start(slow, LEASED);
      CompletedResponse kept = slow.store().complete(own, response("of yesterday"));
      slow.commit();
      Instant yesterday = kept.expiresAt().minus(KEPT.multipliedBy(2));
      slow.store().committed(own, new CompletedResponse(kept.response(), kept.token(), yesterday));
    }
    assertThat(REDIS.hasAnswer(key)).isFalse();
  }

  @Test
  void anOldAnswerNeverTakesThePlaceOfALaterOne() throws Exception {
    try (OneProcess slow = process()) {
      Ownership old = start(slow, LEASED);
      CompletedResponse kept = slow.store().complete(old, response("old"));
      slow.commit();
      expire(key);
      run(LEASED, response("new"));
      slow.store().committed(old, kept);
    }
    forgetInPostgres();
    assertThat(find(LEASED).body()).isEqualTo("new".getBytes(UTF_8));
  }

  /** A repeat that has looked before the first ended may be late in taking its own marker away. */
  @Test
  void nobodyTakesAnothersMarkerAway() throws Exception {
    try (OneProcess first = process();
        OneProcess second = process()) {
      Ownership own = start(first, LEASED);
      REDIS.expireEntry(key);
      endLease(key);
      win(second, LEASED);
      giveUp(first, own);
      assertThat(REDIS.hasMarker(key)).as("the second's").isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMarkerGoesWithTheClaimThatIsGivenUp(Mode mode) throws Exception {
    try (OneProcess process = process()) {
      giveUp(process, start(process, mode));
    }
    assertThat(REDIS.hasMarker(key)).isFalse();
    assertThat(ask(mode)).isInstanceOf(Claim.Won.class);
  }

  /**
   * PostgreSQL drops a transactional claim at once, its marker ends later: no request runs in
   * between.
   */
  @ParameterizedTest
  @EnumSource
  void aMarkerOfADeadOwnerEndsByItself(Mode mode) throws Exception {
    try (OneProcess dying = process()) {
      start(dying, mode);
    }
    assertThat(ask(mode)).isInstanceOf(Claim.InProgress.class);
    assertThat(REDIS.timeToLive(RedisKeys.entry(key))).isPositive().isLessThan(LEASE);
  }

  @Test
  void aSignOfLifeKeepsTheMarker() throws Exception {
    try (OneProcess process = process()) {
      Ownership own = start(process, LEASED);
      REDIS.send(Command.PEXPIRE, RedisKeys.entry(key), 10_000);
      process.store().renew(List.of(own));
      assertThat(REDIS.timeToLive(RedisKeys.entry(key)))
          .as("until the next sign, which comes after a third of the lease")
          .isGreaterThan(LEASE.dividedBy(3));
    }
  }

  @Test
  void whatCannotBeReadInRedisIsReadInPostgresAndPutRight() throws Exception {
    run(TRANSACTIONAL, response("done"));
    REDIS.send(Command.HSET, RedisKeys.entry(key), "response_headers", "no JSON");
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("done".getBytes(UTF_8));
    forgetInPostgres();
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("done".getBytes(UTF_8));
  }

  /** Requests that skip Redis and requests that do not meet in PostgreSQL. */
  @ParameterizedTest
  @EnumSource
  void aProcessThatCannotReachRedisIsHeldOffToo(Mode mode) throws Exception {
    try (OneProcess near = process();
        OneProcess far = processWithoutRedis()) {
      Ownership own = start(near, mode);
      assertThat(claim(far, request(mode))).isInstanceOf(Claim.InProgress.class);
      far.rollBack();
      keep(near, own, response("done"));
      assertThat(claim(far, request(mode))).isInstanceOf(Claim.Done.class);
    }
  }

  private void assertDoneForItsRequestAlone(Mode mode) throws Exception {
    assertThat(find(mode).body()).isEqualTo("done".getBytes(UTF_8));
    assertThat(ask(request(mode, OTHER))).isInstanceOf(Claim.Reused.class);
  }

  private void assertRedisIsUsedAgain(Mode mode) {
    await()
        .untilAsserted(
            () -> {
              assertThat(ask(mode)).isNotInstanceOf(Claim.Won.class);
              assertThat(REDIS.hasAnswer(key)).isTrue();
            });
  }

  private void commitAndDie(Mode mode) throws Exception {
    try (OneProcess dying = process()) {
      Ownership own = start(dying, mode);
      dying.store().complete(own, response("committed"));
      dying.commit();
    }
  }
}
