package io.onceflow.order.api.planted;

import io.onceflow.order.messaging.Marker;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/**
 * Breaks two rules of the house on purpose: the API knows no messaging, fields are not injected.
 */
public class AskingTheQueue {

  @Inject @Nullable Marker marker;
}
