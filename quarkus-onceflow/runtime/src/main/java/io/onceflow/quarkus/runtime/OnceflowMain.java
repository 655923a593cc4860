package io.onceflow.quarkus.runtime;

import io.onceflow.internal.startup.BrokerSettings;
import io.onceflow.internal.startup.DatabaseGate;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/**
 * The entry of an application that declares none: it refuses to start without the broker's
 * settings, and starts when its database lets it in.
 */
@QuarkusMain
public final class OnceflowMain {

  private OnceflowMain() {}

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
