package io.onceflow.inbox.internal.audit;

import org.jspecify.annotations.Nullable;

/**
 * What a check of the whole audit log found, in the shape of its JSON.
 *
 * @param intact whether every entry follows the one before it and has the hash of its fields
 * @param entries how many were read; those up to the broken one, if there is one
 * @param brokenAt seq of the first entry that does not; null when there is none
 * @param lastHash of the last entry that does. Compared with one that was noted elsewhere, it shows
 *     whether entries were cut off at the end, or all written again
 */
public record AuditVerification(
    boolean intact, long entries, @Nullable Long brokenAt, String lastHash) {}
