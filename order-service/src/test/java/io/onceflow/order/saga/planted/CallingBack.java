package io.onceflow.order.saga.planted;

import io.onceflow.order.messaging.Marker;

/** Breaks a rule of the house on purpose: sagas do not know who brings their replies. */
public class CallingBack {

  /** The call that closes a cycle of packages. */
  public String back() {
    return Marker.NAME.toString();
  }
}
