package io.onceflow.web.internal.http;

import io.netty.handler.codec.http.HttpMessage;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/**
 * Refuses a request that states its length in two ways (RFC 9112, 6.3). Netty takes the chunks; a
 * proxy in front that takes the length would see other requests than this server.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {

  StrictRequestDecoder(HttpServerOptions options) {
    super(options);
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("Content-Length beside Transfer-Encoding");
  }
}
