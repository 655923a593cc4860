package io.onceflow.local.internal;

import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.test.transports.TransportLaws;

/** The laws of transports, kept within one application. */
class LocalTransportLawsTest extends TransportLaws {

  private final LocalTransport local = new LocalTransport();

  @Override
  protected MessageTransport transport() {
    return local;
  }

  @Override
  protected MessageSource source() {
    return local;
  }
}
