package io.onceflow.systemtests;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for services that are killed and come back on them.
 *
 * <p>They lie below every system's ephemeral range. A port from that range could be taken by any
 * client's connection while its service is away, even by the one that knocks there in vain.
 */
public final class Ports {

  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 30_000;
  private static final int TRIES = 1_000;

  private static final Set<Integer> GIVEN = new HashSet<>();

  private Ports() {}

  /**
   * A port of the loopback interface that was free a moment ago; never returns the same port twice.
   */
  public static synchronized int next() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (isFree(port) && GIVEN.add(port)) {
        return port;
      }
    }
    throw new IllegalStateException("No free port between %d and %d".formatted(LOWEST, HIGHEST));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
