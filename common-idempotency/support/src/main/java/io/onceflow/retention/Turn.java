package io.onceflow.retention;

/**
 * What a turn came to.
 *
 * @param deleted rows
 * @param isMoreLeft whether its time ended before the rows did
 */
record Turn(int deleted, boolean isMoreLeft) {}
