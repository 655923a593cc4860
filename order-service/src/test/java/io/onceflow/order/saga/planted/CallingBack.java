package io.onceflow.order.saga.planted;

import io.onceflow.saga.internal.messaging.TimerSweep;
import org.jspecify.annotations.Nullable;

/** Breaks a rule of the house on purpose: sagas do not know who brings their replies. */
public class CallingBack {

  @Nullable TimerSweep sweep;
}
