/**
 * SQL for repositories that read and write rows in sets: one statement for a batch. The outbox, the
 * inbox and the fast path of sagas and participants are written with it.
 */
@NullMarked
package io.onceflow.sql;

import org.jspecify.annotations.NullMarked;
