package io.onceflow.web.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;

/**
 * Replaces the decoder of HTTP/1 and adds {@link UnreadableRequests} once Vert.x has decided, by
 * the first bytes or after the TLS handshake, that a connection speaks HTTP/1, or {@link
 * ContinuationLimit} to one that speaks HTTP/2. Then it becomes unavailable.
 */
final class StrictConnection extends ChannelInboundHandlerAdapter {

  // Names that Vert.x gives its handlers.
  private static final String TLS = "ssl";
  private static final String DECODER = "httpDecoder";
  private static final String ENCODER = "httpEncoder";
  static final String HTTP_2 = "handler";

  private final HttpServerOptions options;
  private final HeaderTimeout headerTimeout;

  StrictConnection(HttpServerOptions options, HeaderTimeout headerTimeout) {
    this.options = options;
    this.headerTimeout = headerTimeout;
  }

  /** Passes single bytes on until Vert.x has decided, so that no request is decoded before. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    ChannelPipeline pipeline = context.pipeline();
    ByteBuf bytes = (ByteBuf) message;
    if (pipeline.get(TLS) != null) {
      pipeline.addAfter(TLS, null, new AfterHandshake());
      pipeline.remove(this);
    }
    while (pipeline.get(TLS) == null && !isDecided(pipeline) && bytes.isReadable()) {
      context.fireChannelRead(bytes.readRetainedSlice(1));
    }
    if (isDecided(pipeline)) {
      install(this, pipeline);
    }
    if (bytes.isReadable()) {
      context.fireChannelRead(bytes);
    } else {
      ReferenceCountUtil.release(bytes);
    }
  }

  private final class AfterHandshake extends ChannelInboundHandlerAdapter {

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
      super.userEventTriggered(context, event);
      if (isDecided(context.pipeline())) {
        install(this, context.pipeline());
      }
    }
  }

  private static boolean isDecided(ChannelPipeline pipeline) {
    return pipeline.get(DECODER) != null || pipeline.get(HTTP_2) != null;
  }

  /** The installer goes last: what it passes on then has to reach the handlers installed. */
  private void install(ChannelHandler installer, ChannelPipeline pipeline) {
    if (pipeline.get(DECODER) == null) {
      pipeline.remove(headerTimeout);
      pipeline.addBefore(HTTP_2, null, new ContinuationLimit());
    } else {
      // What the old decoder has not decoded yet is passed to the new one.
      pipeline.replace(DECODER, DECODER, new StrictRequestDecoder(options));
      pipeline.addAfter(ENCODER, null, new UnreadableRequests(headerTimeout));
    }
    pipeline.remove(installer);
  }
}
