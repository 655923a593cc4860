package com.example.awards;

import io.smallrye.reactive.messaging.connector.OutboundConnector;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;

/** A connector of the tests' own: it is told what to answer. */
@ApplicationScoped
@Connector("wire")
class Wire implements OutboundConnector {

  private final List<Message<?>> given = new CopyOnWriteArrayList<>();
  private volatile Consumer<Message<?>> answer = Message::ack;

  /** What it has been given, in that order. */
  List<Message<?>> given() {
    return given;
  }

  /** From now on. */
  void answer(Consumer<Message<?>> other) {
    answer = other;
  }

  @Override
  public Flow.Subscriber<? extends Message<?>> getSubscriber(Config config) {
    return new Flow.Subscriber<Message<?>>() {

      @Override
      public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
      }

      @Override
      public void onNext(Message<?> message) {
        given.add(message);
        answer.accept(message);
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onComplete() {}
    };
  }
}
