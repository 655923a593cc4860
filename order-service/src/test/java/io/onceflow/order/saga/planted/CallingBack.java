package io.onceflow.order.saga.planted;

import io.onceflow.order.messaging.Marker;

/** Breaks a rule of the house on purpose: sagas do not know who brings their replies. */
public class CallingBack {

  /** What it should not know. */
  public String back() {
    return Marker.NAME.toString();
  }
}
