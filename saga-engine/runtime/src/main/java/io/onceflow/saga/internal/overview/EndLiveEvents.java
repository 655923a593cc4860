package io.onceflow.saga.internal.overview;

import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;
import io.quarkus.runtime.shutdown.ShutdownListener;

/**
 * Ends the streams of events as soon as the process is told to stop. Its HTTP server waits for all
 * answers before anything else is stopped, and these would not end by themselves.
 */
public class EndLiveEvents implements ShutdownListener {

  @Override
  public void preShutdown(ShutdownNotification notification) {
    try {
      ArcContainer beans = Arc.container(); // null when the start failed
      if (beans != null) {
        beans.instance(LiveEvents.class).get().close();
      }
    } finally {
      notification.done();
    }
  }
}
