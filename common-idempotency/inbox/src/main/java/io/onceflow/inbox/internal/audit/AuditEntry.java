package io.onceflow.inbox.internal.audit;

import org.jspecify.annotations.Nullable;

/**
 * An act of an operator, to be recorded.
 *
 * @param actor who did it: the subject of the token
 * @param action such as {@code retry}, one of few words
 * @param reason in the operator's words; null when nothing was said
 * @param detail what else there is to know, such as the filter of a repair; null for nothing, and
 *     cut off after {@link #LONGEST_TEXT} characters
 */
public record AuditEntry(
    String actor,
    String action,
    AuditSubject subject,
    @Nullable String reason,
    @Nullable String detail) {

  /** A log that is kept for ever holds what was done, not what it was done to. */
  static final int LONGEST_TEXT = 4_000;

  public AuditEntry {
    reason = cut(reason);
    detail = cut(detail);
  }

  private static @Nullable String cut(@Nullable String text) {
    return text == null || text.length() <= LONGEST_TEXT
        ? text
        : text.substring(0, LONGEST_TEXT - 1) + "…";
  }
}
