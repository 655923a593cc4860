package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.plan.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run is to be like.
 *
 * @param length of the part in which things go wrong
 * @param seed of all that is drawn
 * @param kinds what may go wrong
 * @param customers who order at the same time
 * @param stack {@code docker}, {@code embedded}, or empty for the one that is available
 * @param gateway {@code simulated} or {@code stripe-double}
 * @param carrier {@code simulated} or {@code easypost-double}
 * @param readyAtLeast how long a service may take to be ready on any machine
 * @param quietWithin after all is mended
 * @param postAtLeast what the p99 of other callers' POSTs may be on any machine while one thing is
 *     wrong
 * @param aloneFor how long each fault goes on by itself whose effect on others is measured; zero
 *     for none of that
 * @param aloneMost so many kinds of these at most; seeds that follow one another take turns
 * @param otherVersion a checkout of another version that is built, for processes of two versions
 *     side by side; null for none
 * @param folder for the report
 */
public record Settings(
    Duration length,
    long seed,
    Set<Kind> kinds,
    int customers,
    String stack,
    String gateway,
    String carrier,
    Duration readyAtLeast,
    Duration quietWithin,
    Duration postAtLeast,
    Duration aloneFor,
    int aloneMost,
    @Nullable Path otherVersion,
    Path folder) {}
