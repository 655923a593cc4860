package io.onceflow.inbox.internal.parking;

import io.onceflow.core.internal.OnceflowException;

/** A job on a group of parked messages cannot be started or changed as things stand. */
public final class ParkedJobRefused extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param why for an operator
   */
  public ParkedJobRefused(String why) {
    super(why);
  }
}
