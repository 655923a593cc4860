package io.onceflow.messaging.once.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.parking.InboxQueues;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.messaging.MessageAttributesReader;
import io.onceflow.outbox.internal.JtaUnitOfWork;
import io.quarkus.arc.All;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Connects channels with methods by way of the inbox. */
@Singleton
class OnceChannels {

  private final OnceConfig config;
  private final JtaUnitOfWork unitOfWork;
  private final Parking parking;
  private final InboxQueues queues;
  private final ObjectMapper json;
  private final List<MessageAttributesReader> readers;
  private final List<Acknowledgement.Source> acknowledgements;

  OnceChannels(
      OnceConfig config,
      JtaUnitOfWork unitOfWork,
      Parking parking,
      InboxQueues queues,
      ObjectMapper json,
      @All List<MessageAttributesReader> readers,
      @All List<Acknowledgement.Source> acknowledgements) {
    this.config = config;
    this.unitOfWork = unitOfWork;
    this.parking = parking;
    this.queues = queues;
    this.json = json;
    this.readers = readers;
    this.acknowledgements = acknowledgements;
  }

  OnceChannel open(String bean, String step, String channel) {
    OnceMethod method = OnceMethod.of(load(bean), step);
    KeySource key =
        KeySource.of(
            Optional.ofNullable(config.steps().get(step))
                .flatMap(OnceConfig.Step::key)
                .orElseGet(() -> method.annotation().key()));
    IdempotentReceiver receiver =
        new IdempotentReceiver(
            unitOfWork, parking, new OnceReceiver(method, new Arguments(method, json)));
    String queue = ChannelDeliveries.queue(channel, step);
    queues.register(queue, receiver);
    return new OnceChannel(
        channel,
        new ChannelDeliveries(method, channel, key, readers, json),
        acknowledgements,
        new BatchConsumer(queue, config.largestBatch(), receiver),
        new Room(config.prefetch()));
  }

  private static Class<?> load(String name) {
    try {
      return Thread.currentThread().getContextClassLoader().loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the build found " + name + ", which is not there now", e);
    }
  }
}
