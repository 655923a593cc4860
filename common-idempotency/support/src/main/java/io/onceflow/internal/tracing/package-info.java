/**
 * What is seen of a saga from outside, in one place: the spans of its trace and the fields of its
 * log lines. Handlers know nothing of either.
 */
@NullMarked
package io.onceflow.internal.tracing;

import org.jspecify.annotations.NullMarked;
