package io.onceflow.audit.internal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.inbox.internal.audit.AuditRecord;
import io.onceflow.inbox.internal.audit.AuditSubject;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit log, newest first.
 *
 * @param entries at most as many as requested
 * @param next cursor of the next page; absent on the last
 */
record AuditPage(List<Entry> entries, @JsonInclude(Include.NON_NULL) @Nullable String next) {

  /**
   * An entry as a caller sees it.
   *
   * @param reason in the operator's words; null when nothing was said, and when it is hidden
   * @param detail what else there is to know; null when nothing is, and when it is hidden
   * @param hidden whether reason and detail are kept from this caller, who is no operator
   */
  @Schema(name = "AuditEntry")
  record Entry(
      long seq,
      Instant at,
      String actor,
      String action,
      AuditSubject subject,
      @Nullable String reason,
      @Nullable String detail,
      String hash,
      String previousHash,
      boolean hidden) {

    private static Entry of(AuditRecord entry, boolean hidden) {
      return new Entry(
          entry.seq(),
          entry.at(),
          entry.actor(),
          entry.action(),
          entry.subject(),
          hidden ? null : entry.reason(),
          hidden ? null : entry.detail(),
          entry.hash(),
          entry.previousHash(),
          hidden);
    }
  }

  /**
   * @param found one more than the limit if there are more
   * @param hidden whether what may name customers is left out
   */
  static AuditPage of(List<AuditRecord> found, int limit, boolean hidden) {
    boolean more = found.size() > limit;
    List<AuditRecord> page = more ? found.subList(0, limit) : found;
    return new AuditPage(
        page.stream().map(entry -> Entry.of(entry, hidden)).toList(),
        more ? Long.toString(page.getLast().seq()) : null);
  }
}
