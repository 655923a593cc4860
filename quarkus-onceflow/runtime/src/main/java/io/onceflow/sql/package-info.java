/**
 * SQL for repositories that read and write rows in sets, as the fast path of sagas and participants
 * does ({@link io.onceflow.saga.api.SagaRepository}, {@link
 * io.onceflow.inbox.internal.participant.ParticipantRepository}).
 */
@NullMarked
package io.onceflow.sql;

import org.jspecify.annotations.NullMarked;
