package io.onceflow.launcher.stack;

import org.jspecify.annotations.Nullable;

/** Why the launcher cannot do what it was asked, and what to do about it, for the person there. */
public final class LaunchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With all that there is to say. */
  public LaunchException(String message) {
    super(message);
  }

  /** With a cause, whose message is printed as well. */
  public LaunchException(String message, @Nullable Throwable cause) {
    super(cause == null ? message : message + ": " + cause.getMessage(), cause);
  }
}
