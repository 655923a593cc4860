package io.onceflow.benchmarks.load;

import io.vertx.core.Future;

/**
 * Each request has a different key: the cost of the guard for clients that never repeat a request.
 */
public final class OwnKeys extends Load {

  public OwnKeys(Callers callers, String path) {
    super(callers, path);
  }

  @Override
  Future<Void> step(int client) {
    String key = newKey();
    return callers
        .post(client, path, key)
        .onSuccess(answer -> tally.answer(answer, isRight(answer, key)))
        .onFailure(failure -> tally.wrong(failure.toString()))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private static boolean isRight(CallResponse answer, String key) {
    return answer.isCreated() && !answer.isReplayed() && answer.body().contains(key);
  }
}
