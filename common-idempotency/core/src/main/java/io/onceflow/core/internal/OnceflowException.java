package io.onceflow.core.internal;

/**
 * Root of everything that Onceflow throws on purpose. The message says what happened, to which key,
 * and what to do.
 */
public abstract class OnceflowException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened, to which key, and what to do
   */
  protected OnceflowException(String message) {
    super(message);
  }

  /**
   * @param message what happened, to which key, and what to do
   * @param cause what the layer below said
   */
  protected OnceflowException(String message, Throwable cause) {
    super(message, cause);
  }
}
