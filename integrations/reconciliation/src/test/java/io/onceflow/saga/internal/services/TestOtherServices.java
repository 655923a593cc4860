package io.onceflow.saga.internal.services;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Other services as an application has them, for tests without one. */
public final class TestOtherServices {

  private TestOtherServices() {}

  /** One service at an address. */
  public static OtherServices of(String name, URI url) {
    return new OtherServices(() -> Map.of(name, Optional.of(url)), "order-service");
  }
}
