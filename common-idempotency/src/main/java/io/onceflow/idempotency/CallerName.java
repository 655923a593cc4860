package io.onceflow.idempotency;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which names of callers are taken: those that can be stored, compared by eye, and written into a
 * log or a history without changing what else it says.
 */
public final class CallerName {

  private static final BitSet UNSEEN = new BitSet();

  static {
    UNSEEN.set(Character.CONTROL);
    // Zero-width characters, and those that reverse the direction of what follows.
    UNSEEN.set(Character.FORMAT);
    UNSEEN.set(Character.LINE_SEPARATOR);
    UNSEEN.set(Character.PARAGRAPH_SEPARATOR);
    UNSEEN.set(Character.SURROGATE);
    UNSEEN.set(Character.UNASSIGNED);
  }

  private CallerName() {}

  /** True for 1 to {@link ScopeResolver#MAX_LENGTH} printable characters, not all of them blank. */
  public static boolean isAcceptable(@Nullable String name) {
    return name != null
        && !name.isBlank()
        && name.length() <= ScopeResolver.MAX_LENGTH
        && name.codePoints().noneMatch(c -> UNSEEN.get(Character.getType(c)));
  }
}
