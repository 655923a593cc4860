package io.onceflow.internal.retention;

import java.time.Duration;
import java.util.Optional;

/**
 * A table whose rows expire. In all statements the database's clock decides, and the first
 * parameter is a time in milliseconds: how long a row stays once it may go.
 *
 * @param name of the table
 * @param key its columns that are unique together, whichever partition a row is in
 * @param madeAt the column that says when a row was made; never changes, so that days can be cut by
 *     it
 * @param days in a partition: each look-up of a key asks every partition, so ten of them are better
 *     than fifty, and what is dropped together waits for its youngest
 * @param kept how long rows stay once they may go
 * @param delete deletes expired rows, at most as many as the second parameter says, and passes by
 *     those that are locked
 * @param backlog answers how many rows have expired, counting no further than the second parameter,
 *     and for how many milliseconds the oldest has
 * @param isLive whether a partition, named by {@code %1$s}, holds a row that has not expired; must
 *     answer from an index, since everybody waits for it
 * @param isAwaited whether a partition, named by {@code %1$s}, holds an expired row that something
 *     else still needs; takes no parameter, may take its time
 */
public record CollectedTable(
    String name,
    String key,
    String madeAt,
    int days,
    Duration kept,
    String delete,
    String backlog,
    String isLive,
    Optional<String> isAwaited) {}
