package io.onceflow.participant.internal;

import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.participant.CallKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handler method may be given of its step.
 *
 * @param key the step's
 * @param undone for a compensation the key of the action that it undoes; null for an action
 * @param reply what that action was answered; null where the inbox does not know it
 * @param rows the business rows of the command's subject
 */
public record StepView(
    CallKey key, @Nullable CallKey undone, @Nullable StepOutcome reply, List<Object> rows) {}
