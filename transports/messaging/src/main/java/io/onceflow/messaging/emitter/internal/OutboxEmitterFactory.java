package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.OutboxEmitter;
import io.smallrye.reactive.messaging.ChannelRegistry;
import io.smallrye.reactive.messaging.EmitterConfiguration;
import io.smallrye.reactive.messaging.EmitterFactory;
import io.smallrye.reactive.messaging.annotations.EmitterFactoryFor;
import io.smallrye.reactive.messaging.providers.extension.ChannelProducer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.reactive.messaging.Channel;

/** Makes the emitters of the application's injection points, one for each channel. */
@EmitterFactoryFor(OutboxEmitter.class)
@ApplicationScoped
public class OutboxEmitterFactory implements EmitterFactory<RecordingEmitter<Object>> {

  @Inject ChannelRegistry registry;
  @Inject ChannelOutbox outbox;

  private final List<RecordingEmitter<Object>> emitters = new ArrayList<>();

  @Override
  public synchronized RecordingEmitter<Object> createEmitter(
      EmitterConfiguration configuration, long defaultBufferSize) {
    RecordingEmitter<Object> emitter =
        new RecordingEmitter<>(new ConnectorOutlet(configuration.name()), outbox);
    emitters.add(emitter);
    return emitter;
  }

  /** Where the messages of each channel go; complete once the connectors are wired. */
  synchronized List<ConnectorOutlet> outlets() {
    return emitters.stream().map(RecordingEmitter::outlet).toList();
  }

  @Produces
  @Typed(OutboxEmitter.class)
  @Channel("") // the name takes no part in finding the bean
  <T> OutboxEmitter<T> emitter(InjectionPoint injected) {
    return registry.getEmitter(ChannelProducer.getChannelName(injected), OutboxEmitter.class);
  }
}
