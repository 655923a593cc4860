/** Stores of the guard in Redis: alone, or in front of PostgreSQL. */
@NullMarked
package io.onceflow.redis.internal;

import org.jspecify.annotations.NullMarked;
