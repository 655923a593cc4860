package io.onceflow.benchmarks.load;

import io.vertx.core.Future;

/** All clients repeat one request that was answered long ago. */
public final class Repeats extends Load {

  private final String key = newKey();
  private String first = "";

  public Repeats(Callers callers, String path) {
    super(callers, path);
  }

  @Override
  Future<Void> prepare() {
    return callers.post(0, path, key).onSuccess(answer -> first = answer.body()).mapEmpty();
  }

  @Override
  Future<Void> step(int client) {
    return callers
        .post(client, path, key)
        .onSuccess(answer -> tally.answer(answer, isRight(answer)))
        .onFailure(failure -> tally.wrong(failure.toString()))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private boolean isRight(CallResponse answer) {
    return answer.isCreated() && answer.isReplayed() && answer.body().equals(first);
  }
}
