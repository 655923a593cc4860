package io.onceflow.launcher.stack;

import io.onceflow.launcher.servers.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

/** Finds out before anything starts whether all of it will find its port. */
public final class PortCheck {

  /** The loopback interface answers at once or not at all. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);

  private final IntPredicate taken;
  private final IntSupplier free;

  PortCheck(IntPredicate taken, IntSupplier free) {
    this.taken = taken;
    this.free = free;
  }

  /** A check of this machine's ports. */
  public static PortCheck ofThisMachine() {
    return new PortCheck(PortCheck::isTaken, FreePorts::next);
  }

  /**
   * Says which ports cannot be had, each with the option that moves it, all in one message.
   *
   * @return empty if all are free
   */
  public Optional<String> complaint(List<StackPorts.Named> ports) {
    Map<Integer, StackPorts.Named> wanted = new HashMap<>();
    List<String> lines = new ArrayList<>();
    StringBuilder proposal = new StringBuilder();
    for (StackPorts.Named port : ports) {
      StackPorts.Named rival = wanted.putIfAbsent(port.port(), port);
      boolean unusable = rival != null || taken.test(port.port());
      if (unusable) {
        String why = rival == null ? "" : "  (also asked for by " + rival.owner() + ")";
        lines.add("  %5s  %-29s %s N%s".formatted(port.port(), port.owner(), port.option(), why));
        proposal.append(' ').append(port.option()).append(' ').append(free.getAsInt());
      }
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "Nothing was started, since these ports are taken; an option moves each:\n"
            + String.join("\n", lines)
            + "\nFree just now:"
            + proposal);
  }

  /**
   * Binding alone is no sufficient check: where another process listens on all interfaces, some
   * systems still let one bind the loopback interface, and then share out the connections.
   */
  private static boolean isTaken(int port) {
    return acceptsConnection(port) || !FreePorts.canBind(port);
  }

  private static boolean acceptsConnection(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
          (int) CONNECT_TIMEOUT.toMillis());
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
