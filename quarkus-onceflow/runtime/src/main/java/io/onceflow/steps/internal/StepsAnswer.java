package io.onceflow.steps.internal;

import io.onceflow.inbox.internal.HandledStep;
import java.util.List;

/**
 * What this service knows of the steps that it was asked about.
 *
 * @param steps those that it has met, in the order of their arrival; the others are not in it
 */
record StepsAnswer(List<HandledStep> steps) {}
