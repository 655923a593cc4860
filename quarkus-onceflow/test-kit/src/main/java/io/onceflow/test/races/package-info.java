/**
 * The race kit: tries a consumer of messages with everything that a broker, a database and a crash
 * can do to it. What it is and how to use it: {@code docs/guide/race-kit.md}.
 */
@NullMarked
package io.onceflow.test.races;

import org.jspecify.annotations.NullMarked;
