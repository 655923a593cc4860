package io.onceflow.idempotency.internal.policy;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The guard's configuration. */
@ConfigMapping(prefix = "onceflow.idempotency")
public interface IdempotencyConfig {

  /** Where claims and answers are kept. */
  enum Store {
    /** In the database of the business rows: one commit for all. */
    POSTGRES,
    /** In Redis alone: fast, and not atomic with the business rows. */
    REDIS,
    /** PostgreSQL is the truth, Redis answers what it can. */
    HYBRID
  }

  /** What a repeat meets while the first request runs. */
  enum InFlight {
    /** 409 with {@code Retry-After}. */
    REJECT,
    /** Waits for the running one. */
    WAIT
  }

  /** What becomes of answers with a status of 4xx. */
  enum Refusals {
    /** They are not kept. */
    RELEASED,
    /** They are kept and replayed. */
    KEPT
  }

  /** Where claims and answers are kept. */
  @WithDefault("postgres")
  Store store();

  /**
   * How long an answer is kept and replayed; after that the key is as new. How it is deleted is
   * said under {@code onceflow.garbage-collection}.
   */
  @WithDefault("PT24H")
  Duration retention();

  /**
   * How long a leased claim outlives its owner's last sign of life. Signs are given three times in
   * a lease, so it must outlast a long pause of the process; it is also how long the repeats of a
   * request wait whose process died.
   */
  @WithDefault("PT30S")
  Duration lease();

  /** What a repeat meets while the first request runs, unless its operation says otherwise. */
  @WithDefault("reject")
  InFlight inFlight();

  /** What becomes of answers with a status of 4xx, unless their operation says otherwise. */
  @WithDefault("released")
  Refusals refusals();

  /** What {@code Retry-After} tells a caller whose request is still running. */
  @WithDefault("PT1S")
  Duration retryAfter();

  /**
   * The longest body of an answer that is kept, in bytes. A longer one is refused before anything
   * is committed: an answer that cannot be replayed must have had no effect.
   */
  @WithDefault("1048576")
  int maxResponseSize();

  /** Repeats that wait for the running request. */
  @WithName("wait")
  Waiting waiting();

  /** Redis, for the stores that use it. Where it is, {@code quarkus.redis.hosts} says. */
  Redis redis();

  /** Commits that requests of shared mode have in common. */
  Shared shared();

  /** Work that goes on after its caller was told 202. */
  Background background();

  /** Claims whose owners died. */
  RecoverySweep recovery();

  /** Repeats that wait. */
  interface Waiting {

    /** The longest wait; after that the repeat is told 409. Shorter than proxies' patience. */
    @WithDefault("PT20S")
    Duration atMost();

    /**
     * First pause between two looks at a claim of another process; doubles each time. About as long
     * as a short transaction takes: with five times that, a herd at two processes waited for the
     * pause and not for the answer. One request of each process looks, so looking early costs
     * little.
     */
    @WithDefault("PT0.01S")
    Duration firstPause();

    /** Longest pause between two looks. */
    @WithDefault("PT1S")
    Duration longestPause();

    /**
     * Repeats that may wait at once, per process; each holds a thread, none a connection. More are
     * told 409. Well below the two hundred threads that Quarkus has by default.
     */
    @WithDefault("128")
    int callers();
  }

  /** Redis, behind the guard or in front of PostgreSQL. */
  interface Redis {

    /**
     * The longest wait for an answer. With {@code hybrid} that is what a request loses when Redis
     * stands still, once; then it is passed by.
     */
    @WithDefault("PT0.5S")
    Duration timeout();

    /** With {@code hybrid}: how long Redis is passed by after it gave no answer. */
    @WithDefault("PT1S")
    Duration detour();

    /**
     * With {@code hybrid}: how long a transactional request that runs keeps others from asking
     * PostgreSQL; also how long, at worst, the repeats of one whose process died are told that it
     * runs, although PostgreSQL has forgotten it. A leased one keeps them from asking as long as it
     * gives signs of life.
     */
    @WithDefault("PT5S")
    Duration marker();

    /** The keys of the codes by which a replica knows what replicas of its service wrote. */
    Integrity integrity();
  }

  /**
   * The integrity of what is kept in Redis: each record carries an HMAC-SHA-256, and a record whose
   * code does not verify is not believed.
   */
  interface Integrity {

    /**
     * The secret that signs and verifies: at least 32 characters, the same in all replicas.
     * Required in production by the stores {@code redis} and {@code hybrid}; development and tests
     * make a random one at each start.
     */
    Optional<String> key();

    /**
     * Secrets that only verify: the previous one, or the next one while replicas are restarted one
     * by one.
     */
    Optional<List<String>> otherKeys();

    /**
     * Believes records without a code. Only for the first {@code retention} after an upgrade from a
     * version that wrote none, with the store {@code redis}; the store {@code hybrid} does not need
     * it.
     */
    @WithDefault("false")
    boolean acceptUnsigned();
  }

  /** Commits that requests of shared mode have in common. */
  interface Shared {

    /**
     * Requests that share a commit at most. Nobody waits for a group to fill: it is what has
     * arrived while the one before was committed. As many as the threads of a service that may
     * decide at once, so that a herd is settled in one or two commits; a larger one holds its locks
     * longer.
     */
    @WithDefault("128")
    int largestGroup();

    /**
     * Groups that are committed at once, per process; each holds a connection meanwhile. With one,
     * groups are larger and each costs less; a second one uses the time in which the first waits
     * for the disk.
     */
    @WithDefault("1")
    int committers();

    /**
     * A look at keys or a commit that takes longer is overtaken: the requests that wait behind it
     * are served on other connections. So a connection that has gone silent holds up the requests
     * that are on it, and no others.
     */
    @WithDefault("PT0.3S")
    Duration overtakeAfter();

    /**
     * How long a request waits to learn whether its key is known; after that it is answered 503 and
     * nothing was done.
     */
    @WithDefault("PT2S")
    Duration lookWithin();

    /**
     * How long a request waits for its commit. After that it is answered 503: {@code
     * store-unavailable} if the commit had not begun, else {@code outcome-unknown}.
     */
    @WithDefault("PT6S")
    Duration commitWithin();
  }

  /** Work in the background. */
  interface Background {

    /**
     * Operations that go on in the background at once, per process. More are told 503, or 202 where
     * a resolver can resume them: the sweep begins them when there is room.
     */
    @WithDefault("16")
    int concurrency();

    /** Of these, for one caller; a quarter, so that one does not have them all. */
    @WithDefault("4")
    int perCaller();
  }

  /** Recovery of claims whose owners died. */
  interface RecoverySweep {

    /** How often each replica looks for them. */
    @WithDefault("PT10S")
    Duration interval();

    /**
     * Since the lease's end: time for the client to come back itself. Not for work whose client was
     * told 202 and waits: that goes on as soon as its lease has ended.
     */
    @WithDefault("PT30S")
    Duration grace();

    /** Claims taken over in one go. */
    @WithDefault("20")
    int batchSize();
  }
}
