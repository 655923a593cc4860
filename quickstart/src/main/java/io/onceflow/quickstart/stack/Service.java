package io.onceflow.quickstart.stack;

import java.util.List;

/** The services, in the order in which they are listed everywhere. */
public enum Service {
  /** Orders and their sagas. */
  ORDER("order-service", "orders"),
  /** Payments and the simulated gateway. */
  PAYMENT("payment-service", "payments"),
  /** Shipments and the simulated carrier. */
  SHIPPING("shipping-service", "shipping");

  /** All of them, as a list. */
  public static final List<Service> ALL = List.of(values());

  private final String title;
  private final String database;

  Service(String title, String database) {
    this.title = title;
    this.database = database;
  }

  /** The name of its module, its process and its container. */
  public String title() {
    return title;
  }

  /** The name of its database and of its database user. */
  public String database() {
    return database;
  }
}
