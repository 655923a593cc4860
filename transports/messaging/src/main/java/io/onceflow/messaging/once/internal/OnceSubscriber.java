package io.onceflow.messaging.once.internal;

import jakarta.inject.Inject;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes to the channels of a method annotated with {@link io.onceflow.messaging.Once} in its
 * place. For each of these methods the build generates a subclass, whose method has the channels'
 * annotations and calls {@link #accept}.
 */
public abstract class OnceSubscriber {

  private final String bean;
  private final String step;
  private final String channel;

  @Inject OnceChannels channels;

  private @Nullable OnceChannel opened;

  /**
   * @param bean the class with the method
   * @param step of the method
   * @param channel the name of its channel
   */
  protected OnceSubscriber(String bean, String step, String channel) {
    this.bean = bean;
    this.step = step;
    this.channel = channel;
  }

  String channel() {
    return channel;
  }

  /** Called before the connectors deliver. */
  synchronized OnceChannel open() {
    if (opened == null) {
      opened = channels.open(bean, step, channel);
    }
    return opened;
  }

  /** Takes a message over; completes when the next one may come. */
  protected CompletionStage<@Nullable Void> accept(Message<?> message) {
    return open().accept(message);
  }
}
