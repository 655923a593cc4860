package io.onceflow.web.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.net.URI;
import java.util.Optional;

/**
 * Answers a request that cannot be parsed with a problem, and closes the connection. While an
 * earlier request of the connection is not answered, Vert.x does, without a body, once it is.
 */
final class UnreadableRequests extends ChannelDuplexHandler {

  private static final int FIRST_FINAL_STATUS = 200;

  private final HeaderTimeout headerTimeout;
  private int unanswered;
  private boolean isClosing;

  UnreadableRequests(HeaderTimeout headerTimeout) {
    this.headerTimeout = headerTimeout;
  }

  @Override
  public void channelRead(ChannelHandlerContext connection, Object message) throws Exception {
    if (isClosing) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      headerTimeout.headersRead();
      Optional<WireProblem> problem = problemOf(request);
      if (problem.isPresent() && unanswered == 0) {
        isClosing = true;
        ReferenceCountUtil.release(message);
        answer(connection, problem.get());
        return;
      }
      unanswered++;
    }
    if (message instanceof LastHttpContent) {
      headerTimeout.requestRead();
    }
    super.channelRead(connection, message);
  }

  @Override
  public void write(ChannelHandlerContext connection, Object message, ChannelPromise written)
      throws Exception {
    boolean isInterim =
        message instanceof HttpResponse response && response.status().code() < FIRST_FINAL_STATUS;
    if (message instanceof LastHttpContent && !isInterim) {
      unanswered--;
    }
    super.write(connection, message, written);
  }

  private static void answer(ChannelHandlerContext connection, WireProblem problem) {
    ByteBuf body = Unpooled.wrappedBuffer(problem.body("/").getBytes());
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(problem.status()), body);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, WireProblem.MEDIA_TYPE)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CONNECTION, "close")
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
        .set("X-Content-Type-Options", "nosniff");
    connection.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  private static Optional<WireProblem> problemOf(HttpRequest request) {
    if (request.decoderResult().isSuccess()) {
      return hasReadableAddress(request)
          ? Optional.empty()
          : Optional.of(new WireProblem(400, "The address is none of RFC 3986."));
    }
    return Optional.of(
        switch (request.decoderResult().cause()) {
          case TooLongHttpLineException line ->
              new WireProblem(414, "The first line of the request is too long.");
          case TooLongHttpHeaderException header ->
              new WireProblem(431, "The headers of the request are too large.");
          default -> new WireProblem(400, "The request cannot be read as HTTP.");
        });
  }

  /** Quarkus asks the same, and answers without a body. */
  private static boolean hasReadableAddress(HttpRequest request) {
    try {
      URI.create(request.uri());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
