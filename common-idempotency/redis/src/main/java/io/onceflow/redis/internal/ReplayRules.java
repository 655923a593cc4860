package io.onceflow.redis.internal;

import io.onceflow.idempotency.internal.store.StoredResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rules for an answer from Redis, even with a valid HMAC: if the key leaks, a forged answer
 * still cannot break the protocol or set a cookie.
 */
final class ReplayRules {

  private static final int MOST_HEADERS = 64;

  /** A token of RFC 9110. */
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

  /** No control character except the tab, so that no value can end a header line. */
  private static final Pattern VALUE = Pattern.compile("[\\t\\P{Cc}]{0,8192}");

  /** Headers of the connection or of the browser's session. */
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

  /** Whether this may be the answer of a guarded operation. */
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
