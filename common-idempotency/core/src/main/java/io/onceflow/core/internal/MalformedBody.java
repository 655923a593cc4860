package io.onceflow.core.internal;

import org.jspecify.annotations.Nullable;

/**
 * A body that calls itself JSON and cannot be compared with others, since it is not well-formed.
 */
public final class MalformedBody extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param why continues "The body is not well-formed JSON: …"
   */
  public MalformedBody(String why) {
    super(sentence(why));
  }

  public MalformedBody(@Nullable String why, Exception cause) {
    super(sentence(String.valueOf(why)), cause);
  }

  private static String sentence(String why) {
    return "The body is not well-formed JSON: %s. Nothing has run; correct the body and send it again, under the same key if you like."
        .formatted(why);
  }
}
