package com.example.awards;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.MessageAttributesWriter;
import jakarta.inject.Singleton;

/** The tests' connector shows what it was given. */
@Singleton
class WireAttributes implements MessageAttributesWriter {

  /** What goes along with a message. */
  record Envelope(MessageAttributes attributes) {}

  @Override
  public String connector() {
    return "wire";
  }

  @Override
  public Object write(MessageAttributes attributes) {
    return new Envelope(attributes);
  }
}
