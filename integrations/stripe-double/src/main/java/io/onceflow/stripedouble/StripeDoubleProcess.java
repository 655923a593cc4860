package io.onceflow.stripedouble;

import io.onceflow.stripedouble.StripeDouble.Webhooks;
import java.util.concurrent.CountDownLatch;

/** The double as a process of its own. */
public final class StripeDoubleProcess {

  private StripeDoubleProcess() {}

  /**
   * Runs until the process is told to end.
   *
   * @param arguments the port of the loopback interface, or {@code 0.0.0.0:<port>} for all
   *     interfaces, as in a container; the address that events are sent to, and the secret that
   *     signs them
   */
  public static void main(String[] arguments) throws InterruptedException {
    String[] address = arguments[0].split(":");
    String host = address.length > 1 ? address[0] : "127.0.0.1";
    int port = Integer.parseInt(address[address.length - 1]);
    // Twice each, since Stripe may, and no code may rely on once.
    Webhooks webhooks =
        arguments.length < 3 ? Webhooks.NONE : new Webhooks(arguments[1], arguments[2], 2, false);
    StripeDouble stripe = StripeDouble.start(host, port, webhooks);
    Runtime.getRuntime().addShutdownHook(new Thread(stripe::close, "stop-stripe-double"));
    new CountDownLatch(1).await();
  }
}
