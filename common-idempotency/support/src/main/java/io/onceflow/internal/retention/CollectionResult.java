package io.onceflow.internal.retention;

/**
 * The result of one turn.
 *
 * @param deleted rows
 * @param isMoreLeft whether its time ended before the rows did
 */
record CollectionResult(int deleted, boolean isMoreLeft) {

  static final CollectionResult NOTHING = new CollectionResult(0, false);
}
