package io.onceflow.internal.retention;

import java.time.Duration;
import java.util.Optional;

/**
 * A table whose rows expire. In all statements the database's clock decides, and the first
 * parameter is a time in milliseconds: how long a row stays after it has expired.
 *
 * @param name of the table
 * @param key its columns that are unique together, whichever partition a row is in
 * @param madeAt the column with the time of insertion, the partition key; it never changes
 * @param days in a partition. Longer partitions mean fewer of them, and each look-up of a key reads
 *     all; but a partition is dropped only when its youngest row has expired
 * @param kept how long rows stay after they have expired
 * @param delete deletes expired rows, at most as many as the second parameter says, and skips
 *     locked ones
 * @param backlog answers how many rows have expired, counting no further than the second parameter,
 *     and for how many milliseconds the oldest has
 * @param isLive whether a partition, named by {@code %1$s}, holds a row that has not expired; must
 *     answer from an index, since other statements wait for it
 * @param isAwaited whether a partition, named by {@code %1$s}, holds an expired row that other rows
 *     still need; takes no parameter and may be slow
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
