/**
 * Chaos: two processes of each service under load, while they, their connections, PostgreSQL and
 * the broker are broken in every way; then the look at what has come of it. {@code ./onceflow chaos
 * --minutes 10 --seed 1} runs it, and docs/internals/proof.md tells of it.
 */
@NullMarked
package io.onceflow.systemtests.chaos;

import org.jspecify.annotations.NullMarked;
