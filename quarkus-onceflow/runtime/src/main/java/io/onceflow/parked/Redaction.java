package io.onceflow.parked;

/**
 * Takes out of the text of a parked message what operators need not see. An application whose
 * messages hold such a thing has a bean of this type; without one a message is shown as it came.
 * What is parked stays as it is, to be redriven; so does what is logged, such as the text of an
 * exception that a handler throws.
 */
@FunctionalInterface
public interface Redaction {

  /**
   * The same text as it may be shown.
   *
   * @param text a message's payload, which need not be JSON, or the reason why it was parked
   */
  String of(String text);
}
