package io.onceflow.reconciliation.internal.run;

/**
 * What a run has come to.
 *
 * @param ours entries of our book
 * @param theirs entries of the other book
 * @param differences that were found
 * @param stored how many of them are stored
 */
record RunCounts(long ours, long theirs, long differences, long stored) {}
