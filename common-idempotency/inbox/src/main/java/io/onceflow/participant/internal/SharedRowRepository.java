package io.onceflow.participant.internal;

import io.onceflow.inbox.internal.participant.ParticipantRepository;

/**
 * Rows that many steps change, such as accounts: one is found by its id alone, whichever step wrote
 * it last.
 *
 * @param <S> one row
 */
public interface SharedRowRepository<S> extends ParticipantRepository<S> {}
