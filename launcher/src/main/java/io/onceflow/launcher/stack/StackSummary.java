package io.onceflow.launcher.stack;

import java.io.IOException;

/** What a person needs to know once everything runs. */
public final class StackSummary {

  private StackSummary() {}

  /** Says where to go, how to get in, and how to stop. */
  public static String of(Home home, StackKind kind) throws IOException {
    StackState state =
        StackState.read(home.stackFile())
            .orElseThrow(() -> new LaunchException("The stack went away while it was starting"));
    StringBuilder text = new StringBuilder("Up on the %s stack:%n".formatted(kind));
    for (String service : state.services()) {
      text.append("  %-17s %s%n".formatted(service, state.url(service)));
    }
    if (state.urls().containsKey(LocalStack.STRIPE_DOUBLE)) {
      text.append("  Stripe's double   %s%n".formatted(state.url(LocalStack.STRIPE_DOUBLE)));
    }
    if (state.urls().containsKey(LocalStack.EASYPOST_DOUBLE)) {
      text.append("  EasyPost's double %s%n".formatted(state.url(LocalStack.EASYPOST_DOUBLE)));
    }
    text.append("  a token           ./onceflow token alice [--operator]\n");
    if (state.services().contains("order-service")) {
      text.append("  the four stories  ./onceflow demo\n");
    }
    if (kind != StackKind.docker) {
      text.append("  logs              .onceflow/logs/\n");
    }
    return text.append("  stop              ./onceflow down").toString();
  }
}
