package io.onceflow.web.internal.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.quarkus.vertx.http.runtime.ServerLimitsConfig;
import io.quarkus.vertx.http.runtime.VertxHttpConfig;
import io.smallrye.config.SmallRyeConfig;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.impl.transports.JDKTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Adds {@link HeaderTimeout} and {@link StrictConnection} to each connection of the HTTP server.
 * Vert.x has no setting for what they do: it answers a request that it cannot parse without a body,
 * accepts Content-Length beside Transfer-Encoding, and waits for headers as long as now and then a
 * byte comes.
 */
public class StrictServer implements VertxServiceProvider {

  private final Supplier<Limits> limits;

  /** Found by the service loader, before there is a configuration. */
  public StrictServer() {
    this(Limits::configured);
  }

  StrictServer(Supplier<Limits> limits) {
    this.limits = limits;
  }

  /**
   * What a connection is held to.
   *
   * @param decoder the limits of the first line and of the headers
   */
  record Limits(Duration headerTimeout, HttpServerOptions decoder) {

    private static Limits configured() {
      SmallRyeConfig config = ConfigProvider.getConfig().unwrap(SmallRyeConfig.class);
      ServerLimitsConfig http = config.getConfigMapping(VertxHttpConfig.class).limits();
      HttpConfig own = config.getConfigMapping(HttpConfig.class);
      return new Limits(
          own.headerTimeout(),
          new HttpServerOptions()
              .setMaxInitialLineLength(http.maxInitialLineLength())
              .setMaxHeaderSize((int) http.maxHeaderSize().asLongValue())
              .setMaxChunkSize((int) http.maxChunkSize().asLongValue()));
    }
  }

  @Override
  public void init(VertxBuilder builder) {
    Transport transport = builder.findTransport();
    builder.findTransport(
        transport == null || transport == JDKTransport.INSTANCE
            ? new StrictTransport(limits)
            : strict(transport));
  }

  /** A native transport, which is as strict; it has methods for the channels of its system. */
  private Transport strict(Transport transport) {
    return (Transport)
        Proxy.newProxyInstance(
            StrictServer.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(transport, arguments);
                if (arguments != null
                    && arguments[arguments.length - 1] instanceof ServerBootstrap server) {
                  server.handler(new Accepted(limits.get()));
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static final class StrictTransport extends JDKTransport {

    private final Supplier<Limits> limits;

    StrictTransport(Supplier<Limits> limits) {
      this.limits = limits;
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap server) {
      super.configure(options, domainSocket, server);
      server.handler(new Accepted(limits.get()));
    }
  }

  /** Sees each connection when it is accepted, before Vert.x configures it. */
  @Sharable
  private static final class Accepted extends ChannelInboundHandlerAdapter {

    private final Limits limits;

    Accepted(Limits limits) {
      this.limits = limits;
    }

    @Override
    public void channelRead(ChannelHandlerContext server, Object connection) throws Exception {
      if (connection instanceof Channel channel) {
        HeaderTimeout timeout = new HeaderTimeout(limits.headerTimeout());
        channel.pipeline().addLast(timeout, new StrictConnection(limits.decoder(), timeout));
      }
      super.channelRead(server, connection);
    }
  }
}
