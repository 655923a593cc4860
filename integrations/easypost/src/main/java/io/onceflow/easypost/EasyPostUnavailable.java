package io.onceflow.easypost;

/**
 * The outcome of a request to EasyPost is not known, or it had no effect. The same call may be made
 * again.
 */
public final class EasyPostUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param what happened, to which key
   */
  EasyPostUnavailable(String what) {
    super("EasyPost: " + what);
  }

  /**
   * @param what happened, to which key
   */
  EasyPostUnavailable(String what, Exception cause) {
    super("EasyPost: %s: %s".formatted(what, cause.getMessage()), cause);
  }
}
