package io.onceflow.messaging.once.internal;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/** A channel's messages in transit to a method. */
record OnceChannel(
    String name,
    ChannelDeliveries deliveries,
    List<Acknowledgement.Source> acknowledgements,
    BatchConsumer consumer,
    Room room) {

  CompletionStage<@Nullable Void> accept(Message<?> message) {
    Acknowledgement acknowledgement =
        acknowledgements.stream()
            .flatMap(source -> source.of(name, message).stream())
            .findFirst()
            .orElseGet(() -> Acknowledgement.of(message));
    Delivery delivery = deliveries.of(new ChannelReceipt(message, acknowledgement, room));
    CompletionStage<@Nullable Void> next = room.take();
    consumer.accept(delivery);
    return next;
  }
}
