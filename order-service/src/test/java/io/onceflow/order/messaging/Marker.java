package io.onceflow.order.messaging;

/** Something in this package for a planted class to depend on. */
public enum Marker {
  NAME
}
