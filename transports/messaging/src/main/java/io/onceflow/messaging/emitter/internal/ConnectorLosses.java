package io.onceflow.messaging.emitter.internal;

/** A connector that never answers what was in flight when its connection broke. */
interface ConnectorLosses {

  /** Has the listener run whenever that has happened on a channel, on any thread. */
  void onLoss(String channel, Runnable listener);
}
