package io.onceflow.redis.internal;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static io.onceflow.idempotency.Idempotent.Mode.TRANSACTIONAL;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.idempotency.PostgresIdempotencyStoreTest;
import io.onceflow.idempotency.PostgresProcess;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.test.stores.StoreUnderTest.OneProcess;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each law of a Redis in front is broken here by a store that is wrong in one way. */
@Timeout(60)
@Tag("nightly")
class RedisInFrontLawsCanFailTest {

  private static final TestRedis REDIS = RedisInFrontTest.REDIS;

  /** A law, called on the test class of a store. */
  interface Law {
    void holdsFor(RedisInFrontTest laws) throws Exception;
  }

  record Broken(String what, Function<TestRedis, OneProcess> process, Law law) {

    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Broken> brokenStores() {
    return Stream.of(
        front(
            "caches nothing",
            BrokenFronts.CachesNothing::new,
            l -> l.anAnswerIsFoundWithoutPostgres(TRANSACTIONAL)),
        front(
            "repairs nothing",
            BrokenFronts.CachesNothing::new,
            l -> l.anAnswerWhoseOwnerDiedBeforeItCachedItIsCachedByTheNextReader(TRANSACTIONAL)),
        front(
            "repairs nothing of what was emptied",
            BrokenFronts.CachesNothing::new,
            l -> l.anAnswerIsCachedAgainAfterRedisWasEmptied(LEASED)),
        front(
            "marks nothing",
            BrokenFronts.NeverLooks::new,
            l -> l.aMarkerSparesPostgresTheHerd(LEASED)),
        front(
            "caches for too long",
            BrokenFronts.CachesForTooLong::new,
            RedisInFrontTest::anAnswerEndsInRedisWhenPostgresForgetsIt),
        front(
            "caches what has expired",
            BrokenFronts.CachesForTooLong::new,
            RedisInFrontTest::anAnswerThatHasExpiredIsNotCached),
        front(
            "lets the last writer win",
            BrokenFronts.LetsTheLastWriterWin::new,
            RedisInFrontTest::anOldAnswerNeverTakesThePlaceOfALaterOne),
        front(
            "takes any marker away",
            BrokenFronts.TakesAnyMarkerAway::new,
            RedisInFrontTest::nobodyTakesAnothersMarkerAway),
        front(
            "leaves its markers",
            BrokenFronts.LeavesItsMarkers::new,
            l -> l.aMarkerGoesWithTheClaimThatIsGivenUp(LEASED)),
        front(
            "marks for ever",
            BrokenFronts.MarksForEver::new,
            l -> l.aMarkerOfADeadOwnerEndsByItself(TRANSACTIONAL)),
        front(
            "lets markers end",
            BrokenFronts.LetsMarkersEnd::new,
            RedisInFrontTest::aSignOfLifeKeepsTheMarker),
        front(
            "reads without care",
            BrokenFronts.ReadsWithoutCare::new,
            RedisInFrontTest::whatCannotBeReadInRedisIsReadInPostgresAndPutRight),
        believer(
            "believes an emptied Redis",
            l -> l.anEmptiedRedisLetsNobodyRunWhileTheFirstDoes(LEASED)),
        believer(
            "believes a Redis that is away",
            l -> l.aStoppedRedisLetsNobodyRunASecondTime(TRANSACTIONAL)),
        believer(
            "believes a Redis that comes and goes",
            l -> l.redisMayStopAndStartInTheMiddleOfARun(TRANSACTIONAL)),
        believer(
            "believes a Redis that was not there",
            l -> l.whatBeganWithoutRedisIsHeldWithIt(LEASED)),
        believer(
            "believes a Redis of old", l -> l.anOldMarkerThatComesBackLetsNobodyRun(TRANSACTIONAL)),
        believer(
            "forgets those who do not reach Redis",
            l -> l.aProcessThatCannotReachRedisIsHeldOffToo(LEASED)));
  }

  @AfterEach
  void redisRuns() {
    TestRedis.start();
  }

  @ParameterizedTest
  @MethodSource("brokenStores")
  void aStoreThat(Broken broken) {
    RedisInFrontTest laws =
        new RedisInFrontTest() {
          @Override
          protected OneProcess process() {
            return broken.process().apply(REDIS);
          }
        };
    assertThatThrownBy(() -> broken.law().holdsFor(laws))
        .isInstanceOfAny(AssertionError.class, IllegalStateException.class);
  }

  private static Broken front(String what, Function<TestRedis, RedisCache> front, Law law) {
    return new Broken(
        what,
        redis -> new HybridProcess(PostgresIdempotencyStoreTest.DATABASE, front.apply(redis)),
        law);
  }

  private static Broken believer(String what, Law law) {
    return new Broken(what, Believer::new, law);
  }

  private static final class Believer extends PostgresProcess {

    private final IdempotencyStore store;

    Believer(TestRedis redis) {
      super(PostgresIdempotencyStoreTest.DATABASE);
      store =
          new BrokenFronts.TakesRedisForTheTruth(super.store(), new BrokenFronts.WholeFront(redis));
    }

    @Override
    public IdempotencyStore store() {
      return store;
    }
  }
}
