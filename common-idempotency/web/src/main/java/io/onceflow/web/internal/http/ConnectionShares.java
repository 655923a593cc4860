package io.onceflow.web.internal.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.netty.channel.Channel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds the connections that an address holds open at a server, so that one address leaves room
 * for the others. IPv6 addresses with the same first 64 bits count as one: a host is assigned such
 * a network as a whole.
 */
final class ConnectionShares {

  static final String REFUSED = "onceflow.http.connections.refused";

  private static final int IPV6_NETWORK_BYTES = 8;

  private final int mostPerAddress;
  private final Counter refused;
  private final Map<InetAddress, Integer> open = new ConcurrentHashMap<>();

  /**
   * Shares that are all free.
   *
   * @param mostPerAddress 0 for no bound
   */
  ConnectionShares(int mostPerAddress) {
    this.mostPerAddress = mostPerAddress;
    this.refused =
        Counter.builder(REFUSED)
            .description("Connections closed at once, since their address has its share of them")
            .register(Metrics.globalRegistry);
  }

  /** Counts a connection until it is closed, or closes it and says no. */
  boolean admit(Channel connection) {
    if (mostPerAddress == 0
        || !(connection.remoteAddress() instanceof InetSocketAddress remote)
        || remote.getAddress() == null) {
      return true;
    }
    InetAddress network = network(remote.getAddress());
    if (take(network)) {
      connection.closeFuture().addListener(closed -> giveBack(network));
      return true;
    }
    refused.increment();
    // It has no event loop yet that could close it.
    connection.unsafe().closeForcibly();
    return false;
  }

  private boolean take(InetAddress network) {
    boolean isShare = open.merge(network, 1, Integer::sum) <= mostPerAddress;
    if (!isShare) {
      giveBack(network);
    }
    return isShare;
  }

  private void giveBack(InetAddress network) {
    open.computeIfPresent(network, (same, held) -> held == 1 ? null : held - 1);
  }

  static InetAddress network(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address;
    }
    byte[] bytes = address.getAddress();
    Arrays.fill(bytes, IPV6_NETWORK_BYTES, bytes.length, (byte) 0);
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("The length is an address's", e);
    }
  }
}
