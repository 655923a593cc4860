package io.onceflow.inbox.internal.audit;

import org.jspecify.annotations.Nullable;

/**
 * Which entries a list contains; an entry must match all parts.
 *
 * @param subject null for any
 * @param actor null for any
 * @param action null for any
 * @param before the seq of the last entry of the page before; null for the first page
 * @param limit how many at most
 */
public record AuditFilter(
    @Nullable AuditSubject subject,
    @Nullable String actor,
    @Nullable String action,
    @Nullable Long before,
    int limit) {}
