package io.onceflow.service.http;

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

/**
 * Answers a request that could not be parsed with a problem, and closes the connection. While an
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
      if (request.decoderResult().isFailure() && unanswered == 0) {
        isClosing = true;
        ReferenceCountUtil.release(message);
        answer(connection, request.decoderResult().cause());
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
        message instanceof HttpResponse response
            && response.status().code() < FIRST_FINAL_STATUS;
    if (message instanceof LastHttpContent && !isInterim) {
      unanswered--;
    }
    super.write(connection, message, written);
  }

  private static void answer(ChannelHandlerContext connection, Throwable cause) {
    WireProblem problem = problem(cause);
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

  private static WireProblem problem(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return new WireProblem(414, "The first line of the request is too long.");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return new WireProblem(431, "The headers of the request are too large.");
    }
    return new WireProblem(400, "The request cannot be read as HTTP.");
  }
}
