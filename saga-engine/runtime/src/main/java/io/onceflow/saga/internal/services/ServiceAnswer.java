package io.onceflow.saga.internal.services;

import org.jspecify.annotations.Nullable;

/** The outcome of asking another service. */
public sealed interface ServiceAnswer {

  /**
   * The service answered, whatever it said.
   *
   * @param contentType null where the service named none
   * @param retryAfter header of that name; null where there was none
   * @param body empty where there was none
   */
  record Answered(
      int status, @Nullable String contentType, @Nullable String retryAfter, String body)
      implements ServiceAnswer {

    /** Whether it did what it was asked. */
    public boolean isOk() {
      return status == 200;
    }
  }

  /**
   * The service did not answer.
   *
   * @param why in a sentence for operators
   */
  record Unanswered(String why) implements ServiceAnswer {}
}
