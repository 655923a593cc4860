package io.onceflow.reconciliation.internal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reconciliation: records that are compared day by day. */
@ConfigMapping(prefix = "onceflow.reconciliation")
public interface ReconciliationConfig {

  /** Books that are queries of the application's database, by their names. */
  Map<String, QueryBook> books();

  /** Which books are compared, by the names of the comparisons. */
  Map<String, BookPair> comparisons();

  /**
   * How long after its end a day in UTC is compared by itself; each of these times once, since
   * refunds and cancellations may come weeks later, and banks send refunds back for 45 days. Empty:
   * only on demand.
   */
  @WithDefault("PT2H,P7D,P31D,P60D")
  Optional<List<Duration>> compareAfter();

  /**
   * What changed on either side later than this before the run is left to the next run: it may be
   * under way. After the last of {@link #compareAfter} nothing is left.
   */
  @WithDefault("PT1H")
  Duration settleAfter();

  /**
   * How much more than the day is read at both ends, so that what the other side dates on the next
   * day is found without a question of its own.
   */
  @WithDefault("PT1H")
  Duration margin();

  /**
   * How many differences of a run are stored with their evidence. Further ones are only counted.
   */
  @WithDefault("10000")
  int mostStored();

  /**
   * After this time another replica starts a run again whose replica was killed. One that stops in
   * order gives its runs back at once.
   */
  @WithDefault("PT1M")
  Duration lease();

  /** A run that takes longer is given up and counts as failed. */
  @WithDefault("PT6H")
  Duration longestRun();

  /** How often a scheduled run is tried until it has failed. */
  @WithDefault("5")
  int attempts();

  /**
   * File with a token of the role {@code operator}, for scheduled runs that read the books of other
   * services; it is read again for each run. Without it such comparisons run on demand only, with
   * the token of the operator.
   */
  Optional<Path> tokenFile();

  /** How long runs and closed differences are kept. */
  @WithDefault("P90D")
  Duration retention();

  /** A book that is a query. */
  interface QueryBook {

    /**
     * A file on the class path with a {@code SELECT} of the columns {@code id}, {@code reference},
     * {@code state}, {@code amount}, {@code currency}, {@code at}, {@code changed_at}, {@code
     * application} and {@code evidence}, a JSON object of texts.
     */
    String query();

    /** What the column {@code id} is, by which pages follow one another. */
    @WithDefault("uuid-v7")
    PageKey pageKey();

    /**
     * What the column {@code reference} is. One that is a UUID is compared as such, so that an
     * index on it is used.
     */
    @WithDefault("text")
    ReferenceType referenceType();
  }

  /** What references of a query are. */
  enum ReferenceType {
    /** Text. */
    TEXT,
    /** UUIDs. */
    UUID
  }

  /** What pages of a query follow. */
  enum PageKey {
    /** A UUIDv7, made at the time {@code at}. */
    UUID_V7,
    /** A number that grows. */
    NUMBER,
    /**
     * A number. Pages follow the time {@code at}: with an index on {@code (at, id)} nothing that is
     * older is read.
     */
    TIME
  }

  /** Two books. */
  interface BookPair {

    /** The name of our book. */
    String ours();

    /** The name of the other book, or {@code service/book} for a book of another service. */
    String theirs();
  }
}
