package io.onceflow.internal.retention;

/**
 * What a turn came to.
 *
 * @param deleted rows
 * @param isMoreLeft whether its time ended before the rows did
 */
record CollectionResult(int deleted, boolean isMoreLeft) {}
