package io.onceflow.payment.api.planted;

import com.rabbitmq.client.Channel;
import jakarta.inject.Inject;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Breaks three rules of the house on purpose: the API knows no messaging, fields are not injected,
 * and there is one way to log.
 */
public class AskingTheQueue {

  @Inject @Nullable Channel intake;
  @Nullable Logger log;
}
