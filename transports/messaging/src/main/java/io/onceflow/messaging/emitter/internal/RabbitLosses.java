package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.settings.internal.RabbitClients;
import jakarta.inject.Singleton;

/** RabbitMQ's connector never answers what was in flight when its connection broke. */
@Singleton
class RabbitLosses implements ConnectorLosses {

  private final RabbitClients clients;

  RabbitLosses(RabbitClients clients) {
    this.clients = clients;
  }

  @Override
  public void onLoss(String channel, Runnable listener) {
    clients.of(channel).onLoss(why -> listener.run());
  }
}
