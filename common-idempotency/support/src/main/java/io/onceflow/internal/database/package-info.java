/** Deadlines of the database: what may wait how long for it, and whether it answers. */
@NullMarked
package io.onceflow.internal.database;

import org.jspecify.annotations.NullMarked;
