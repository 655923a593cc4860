package io.onceflow.redis.internal;

import io.onceflow.core.internal.OnceflowException;

/** A record in Redis was not written by a replica of this service, or was changed. */
final class UnverifiedRecord extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private final RecordMac.Verdict verdict;

  /** The message does not quote the record, whose content may be an attacker's. */
  UnverifiedRecord(RecordMac.Verdict verdict) {
    super("the integrity code of what Redis holds does not verify (%s)".formatted(verdict.tag()));
    this.verdict = verdict;
  }

  RecordMac.Verdict verdict() {
    return verdict;
  }
}
