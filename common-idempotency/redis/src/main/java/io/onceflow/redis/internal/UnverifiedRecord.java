package io.onceflow.redis.internal;

import io.onceflow.core.internal.OnceflowException;

/** What Redis holds was not written by a replica of this service, or was changed since. */
final class UnverifiedRecord extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private final RecordMac.Verdict verdict;

  /** Quotes nothing of the record: its content is an attacker's. */
  UnverifiedRecord(RecordMac.Verdict verdict) {
    super("the integrity code of what Redis holds does not verify (%s)".formatted(verdict.tag()));
    this.verdict = verdict;
  }

  RecordMac.Verdict verdict() {
    return verdict;
  }
}
