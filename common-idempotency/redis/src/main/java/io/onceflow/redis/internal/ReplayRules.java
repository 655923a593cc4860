package io.onceflow.redis.internal;

import io.onceflow.idempotency.internal.store.StoredResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What an answer from Redis may be at all, its code notwithstanding: with a key that has leaked an
 * answer is still no other protocol's, and sets no cookie.
 */
final class ReplayRules {

  private static final int MOST_HEADERS = 64;

  /** A token of RFC 9110. */
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

  /** No control character but the tab: nothing that ends a header line. */
  private static final Pattern VALUE = Pattern.compile("[\\t\\P{Cc}]{0,8192}");

  /** Of the connection, or of the browser's session: none is part of an operation's answer. */
  private static final Set<String> NEVER =
      Set.of(
          "connection",
          "content-length",
          "keep-alive",
          "set-cookie",
          "set-cookie2",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private ReplayRules() {}

  /** Whether a guarded operation can have given this answer. */
  static boolean isOne(StoredResponse response) {
    boolean isStatus = response.status() >= 200 && response.status() < 500;
    return isStatus
        && response.headers().size() <= MOST_HEADERS
        && response.headers().entrySet().stream().allMatch(ReplayRules::isHeader);
  }

  private static boolean isHeader(Map.Entry<String, List<String>> header) {
    return NAME.matcher(header.getKey()).matches()
        && !NEVER.contains(header.getKey().toLowerCase(Locale.ROOT))
        && header.getValue().stream().allMatch(value -> VALUE.matcher(value).matches());
  }
}
