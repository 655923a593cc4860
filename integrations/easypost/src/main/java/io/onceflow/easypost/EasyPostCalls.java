package io.onceflow.easypost;

import com.easypost.EasyPost;
import com.easypost.exception.API.BadRequestError;
import com.easypost.exception.API.ForbiddenError;
import com.easypost.exception.API.HttpError;
import com.easypost.exception.API.InvalidRequestError;
import com.easypost.exception.API.NotFoundError;
import com.easypost.exception.API.PaymentError;
import com.easypost.exception.API.RateLimitError;
import com.easypost.exception.API.UnauthorizedError;
import com.easypost.exception.EasyPostException;
import com.easypost.exception.General.MissingParameterError;
import com.easypost.service.EasyPostClient;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Calls EasyPost, and counts the results by the kinds of EasyPost's <a
 * href="https://docs.easypost.com/docs/errors">errors</a>.
 */
final class EasyPostCalls {

  private final EasyPostClient client;
  private final MeterRegistry metrics;

  EasyPostCalls(EasyPostConfig config, MeterRegistry metrics) {
    this.client = client(config);
    this.metrics = metrics;
  }

  private static EasyPostClient client(EasyPostConfig config) {
    EasyPost._vcrUrlFunction = WholeAnswer::to; // of all clients: they make no other connection
    String key =
        config
            .apiKey()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "EasyPost needs onceflow.easypost.api-key (ONCEFLOW_EASYPOST_API_KEY)"));
    if (!key.chars().allMatch(EasyPostCalls::isVisible)) {
      // Java's exception for such a header would tell the key with each request.
      throw new IllegalStateException(
          "onceflow.easypost.api-key has a line break, a blank or another character that no key"
              + " has");
    }
    try {
      return new EasyPostClient(
          key,
          (int) config.connectTimeout().toMillis(),
          (int) config.readTimeout().toMillis(),
          config.url());
    } catch (MissingParameterError e) {
      throw new IllegalStateException("onceflow.easypost.api-key is blank", e);
    }
  }

  private static boolean isVisible(int character) {
    return character > ' ' && character <= '~';
  }

  /** One request; its answer is null where the body has not arrived when the client looks. */
  @FunctionalInterface
  interface Request<T> {
    @Nullable T send(EasyPostClient client) throws EasyPostException;
  }

  /**
   * Sends a request. It cannot be interrupted; at least no further one is sent.
   *
   * @param operation what it does, in a few words that have no ids: a tag of the metric
   */
  <T> @Nullable T call(String operation, Request<T> request)
      throws EasyPostException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("before a request to EasyPost");
    }
    String result = "error";
    try {
      T answer = request.send(client);
      result = answer == null ? "no-answer" : "ok";
      return answer;
    } catch (EasyPostException e) {
      result = kindOf(e);
      throw e;
    } finally {
      // Of runtime exceptions, too: the usual one is an error page that is not JSON.
      metrics
          .counter("onceflow.easypost.requests", "operation", operation, "result", result)
          .increment();
    }
  }

  private static String kindOf(EasyPostException e) {
    return switch (e) {
      case NotFoundError unknown -> "not-found";
      case InvalidRequestError invalid -> "invalid";
      case BadRequestError invalid -> "invalid";
      case RateLimitError tooMany -> "rate-limited";
      case UnauthorizedError key -> "unauthorized";
      case ForbiddenError key -> "unauthorized";
      case PaymentError balance -> "unpaid";
      case HttpError connection -> "no-answer";
      case EasyPostException error -> "error";
    };
  }
}
