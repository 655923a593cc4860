/** Rows that have served their time: deleted in batches or by whole days, and watched. */
@NullMarked
package io.onceflow.internal.retention;

import org.jspecify.annotations.NullMarked;
