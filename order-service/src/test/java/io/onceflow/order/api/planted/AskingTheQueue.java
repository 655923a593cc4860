package io.onceflow.order.api.planted;

import io.onceflow.saga.internal.messaging.TimerSweep;
import jakarta.inject.Inject;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Breaks three rules of the house on purpose: the API knows no messaging, fields are not injected,
 * and there is one way to log.
 */
public class AskingTheQueue {

  @Inject @Nullable TimerSweep sweep;
  @Nullable Logger log;
}
