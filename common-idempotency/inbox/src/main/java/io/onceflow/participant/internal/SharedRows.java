package io.onceflow.participant.internal;

import io.onceflow.inbox.Rows;

/**
 * Rows that many steps change, such as accounts: one is found by its id alone, whichever step wrote
 * it last.
 *
 * @param <S> one row
 */
public interface SharedRows<S> extends Rows<S> {}
