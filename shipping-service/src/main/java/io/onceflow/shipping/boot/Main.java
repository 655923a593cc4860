package io.onceflow.shipping.boot;

import io.onceflow.startup.BrokerSettings;
import io.onceflow.startup.DatabaseGate;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Starts the service when its database lets it in. */
@QuarkusMain
public final class Main {

  private Main() {}

  /**
   * @param arguments passed on to Quarkus
   */
  public static void main(String... arguments) {
    if (!BrokerSettings.areGiven(System.out)) {
      System.exit(1);
    }
    DatabaseGate.await(System.out);
    Quarkus.run(arguments);
  }
}
