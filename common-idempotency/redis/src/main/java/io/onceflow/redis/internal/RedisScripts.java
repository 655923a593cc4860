package io.onceflow.redis.internal;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Runs scripts and commands on Redis, with a timeout and binary arguments. */
@ApplicationScoped
class RedisScripts {

  private static final Logger LOG = Logger.getLogger(RedisScripts.class);

  private final Redis redis;
  private final Duration timeout;

  @Inject
  RedisScripts(Instance<Redis> redis, IdempotencyConfig config) {
    this(redis.get(), config.redis().timeout());
  }

  RedisScripts(Redis redis, Duration timeout) {
    this.redis = redis;
    this.timeout = timeout;
  }

  /**
   * Runs a script; its text is sent only if Redis does not have it yet.
   *
   * @param arguments texts, numbers or bytes
   * @throws RedisUnusable if there is no answer in time
   */
  @Nullable Response run(RedisScript script, String key, Object... arguments) throws RedisUnusable {
    return await(
        redis
            .send(request(Command.EVALSHA, script.sha1(), key, arguments))
            .recover(
                failure ->
                    isUnknownScript(failure)
                        ? redis.send(request(Command.EVAL, script.text(), key, arguments))
                        : Future.failedFuture(failure)),
        script.name());
  }

  /** Runs any other command. */
  @Nullable Response send(Command command, Object... arguments) throws RedisUnusable {
    Request request = Request.cmd(command);
    List.of(arguments).forEach(argument -> request.arg(bytes(argument)));
    return await(redis.send(request), command.toString());
  }

  /** Runs a command without waiting for its outcome. */
  void sendAndForget(Command command, Object... arguments) {
    Request request = Request.cmd(command);
    List.of(arguments).forEach(argument -> request.arg(bytes(argument)));
    redis
        .send(request)
        .onFailure(failure -> LOG.debugf("%s failed: %s", command, failure.getMessage()));
  }

  private static Request request(Command command, String script, String key, Object... arguments) {
    Request request = Request.cmd(command).arg(script).arg(1).arg(key);
    List.of(arguments).forEach(argument -> request.arg(bytes(argument)));
    return request;
  }

  private static Buffer bytes(Object argument) {
    return argument instanceof byte[] bytes
        ? Buffer.buffer(bytes)
        : Buffer.buffer(argument.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isUnknownScript(Throwable failure) {
    return String.valueOf(failure.getMessage()).startsWith("NOSCRIPT");
  }

  private @Nullable Response await(Future<Response> answer, String what) throws RedisUnusable {
    try {
      return answer
          .toCompletionStage()
          .toCompletableFuture()
          .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new RedisUnusable(what, e.getCause());
    } catch (TimeoutException e) {
      throw new RedisUnusable(what + ": no answer within " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RedisUnusable(what, e);
    }
  }
}
