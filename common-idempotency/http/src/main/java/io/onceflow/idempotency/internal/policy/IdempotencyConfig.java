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

  /** Where claims and answers are stored. */
  enum Store {
    /** In the database of the business rows, in one commit with them. */
    POSTGRES,
    /** In Redis alone: not atomic with the business rows. */
    REDIS,
    /** In PostgreSQL, with Redis as a cache that answers repeats. */
    HYBRID
  }

  /** The answer to a repeat while the first request runs. */
  enum InFlight {
    /** 409 with {@code Retry-After}. */
    REJECT,
    /** Waits for the running request. */
    WAIT
  }

  /** Whether answers with a status of 4xx are stored. */
  enum Refusals {
    /** They are not stored. */
    RELEASED,
    /** They are stored and replayed. */
    KEPT
  }

  /** Where claims and answers are stored. */
  @WithDefault("postgres")
  Store store();

  /**
   * How long an answer is stored and replayed; after that the key counts as new. {@code
   * onceflow.garbage-collection} sets how expired records are deleted.
   */
  @WithDefault("PT24H")
  Duration retention();

  /**
   * How long a leased claim is valid after its last renewal. It is renewed three times in this
   * time, so it must be longer than a long pause of the process. After the process of a request has
   * died, a repeat takes the claim over when this time has passed.
   */
  @WithDefault("PT30S")
  Duration lease();

  /** The answer to a repeat while the first request runs, unless its operation sets it. */
  @WithDefault("reject")
  InFlight inFlight();

  /** Whether answers with a status of 4xx are stored, unless their operation sets it. */
  @WithDefault("released")
  Refusals refusals();

  /** The {@code Retry-After} of an answer about a request that still runs. */
  @WithDefault("PT1S")
  Duration retryAfter();

  /**
   * The longest body of an answer that is stored, in bytes. A longer one fails the request before
   * anything is committed, since it could not be replayed.
   */
  @WithDefault("1048576")
  int maxResponseSize();

  /** Repeats that wait for the running request. */
  @WithName("wait")
  Waiting waiting();

  /** Redis, for the stores that use it. {@code quarkus.redis.hosts} is its address. */
  Redis redis();

  /** Commits of many requests of shared mode together. */
  Shared shared();

  /** Work that continues after its caller was answered 202. */
  Background background();

  /** Recovery of claims whose process died. */
  RecoverySweep recovery();

  /** Repeats that wait. */
  interface Waiting {

    /**
     * The longest wait; after that the repeat is answered 409. Shorter than usual proxy timeouts.
     */
    @WithDefault("PT20S")
    Duration atMost();

    /**
     * Repeats that may wait at once, per process; each holds a thread, and none a connection. More
     * are answered 409. Well below the 200 threads that Quarkus has by default.
     */
    @WithDefault("128")
    int callers();
  }

  /** Redis, as the store or in front of PostgreSQL. */
  interface Redis {

    /**
     * The timeout of a command. With {@code hybrid} one request loses this time when Redis does not
     * answer; after that Redis is not asked for a while.
     */
    @WithDefault("PT0.5S")
    Duration timeout();

    /** With {@code hybrid}: how long Redis is not asked after it gave no answer. */
    @WithDefault("PT1S")
    Duration detour();

    /**
     * With {@code hybrid}: how long a running transactional request keeps its repeats from asking
     * PostgreSQL. After its process has died, repeats are answered for at most this long that it
     * runs. A leased request keeps its repeats from asking as long as its lease is renewed.
     */
    @WithDefault("PT5S")
    Duration marker();

    /** The keys that sign and verify the records in Redis. */
    Integrity integrity();
  }

  /**
   * The integrity of the records in Redis: each has an HMAC-SHA-256, and a record whose HMAC does
   * not verify is rejected.
   */
  interface Integrity {

    /**
     * The secret that signs and verifies: at least 32 characters, the same in all replicas.
     * Required in production by the stores {@code redis} and {@code hybrid}; development and tests
     * make a random one at each start.
     */
    Optional<String> key();

    /** Secrets that only verify: the previous one, or the next one during a rolling restart. */
    Optional<List<String>> otherKeys();
  }

  /** Commits of many requests of shared mode together. */
  interface Shared {

    /**
     * The most requests in one commit. No request waits for a group to fill: a group is what has
     * arrived while the one before was committed. About the number of worker threads, so that many
     * equal requests are committed in one or two groups; a larger group holds its locks longer.
     */
    @WithDefault("128")
    int largestGroup();

    /**
     * After this time the requests that wait behind a look-up of keys or a commit are served on
     * another connection. So a silent connection delays only the requests that use it.
     */
    @WithDefault("PT0.3S")
    Duration overtakeAfter();

    /**
     * How long a request waits for the look-up of its key; after that it is answered 503, and
     * nothing was done.
     */
    @WithDefault("PT2S")
    Duration lookWithin();

    /**
     * How long a request waits for its commit. After that it is answered 503: {@code
     * store-unavailable} if the commit had not started, else {@code outcome-unknown}.
     */
    @WithDefault("PT6S")
    Duration commitWithin();
  }

  /** Work in the background. */
  interface Background {

    /**
     * Operations that run in the background at once, per process. More are answered 503, or 202 if
     * a resolver can resume them: the recovery sweep starts them later.
     */
    @WithDefault("16")
    int concurrency();

    /** Of these, for one caller: a quarter, so that one caller cannot use all. */
    @WithDefault("4")
    int perCaller();
  }

  /** Recovery of claims whose process died. */
  interface RecoverySweep {

    /** How often each replica looks for such claims. */
    @WithDefault("PT10S")
    Duration interval();

    /**
     * How long after the end of its lease a claim is recovered, so that the client can repeat the
     * request first. Work that was answered 202 is recovered as soon as its lease has ended.
     */
    @WithDefault("PT30S")
    Duration grace();
  }
}
