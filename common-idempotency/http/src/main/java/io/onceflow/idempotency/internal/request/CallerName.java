package io.onceflow.idempotency.internal.request;

import io.onceflow.core.ScopeResolver;
import io.onceflow.core.internal.Printable;
import org.jspecify.annotations.Nullable;

/**
 * The rules for names of callers. An acceptable name can be stored, compared by eye, and written
 * into a log or a history without forging other lines.
 */
public final class CallerName {

  private CallerName() {}

  /** True for 1 to {@link ScopeResolver#MAX_LENGTH} printable characters, not all of them blank. */
  public static boolean isAcceptable(@Nullable String name) {
    return name != null
        && !name.isBlank()
        && name.length() <= ScopeResolver.MAX_LENGTH
        && Printable.is(name);
  }
}
