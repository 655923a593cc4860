package io.onceflow.benchmarks.load;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * All clients send the same new request at the same moment; when the last of them has the answer,
 * they do it again with another key.
 */
public final class Herds extends Load {

  public Herds(Callers callers, String path) {
    super(callers, path);
  }

  @Override
  int loops() {
    return 1;
  }

  @Override
  Future<Void> step(int ignored) {
    String key = newKey();
    long startedAt = System.nanoTime();
    List<Future<CallResponse>> herd = new ArrayList<>();
    for (int client = 0; client < callers.clients(); client++) {
      herd.add(callers.post(client, path, key));
    }
    return Future.join(herd)
        .onSuccess(
            all -> {
              tally.round(System.nanoTime() - startedAt);
              judge(all.list());
            })
        .onFailure(failure -> tally.wrong(failure.toString()))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private void judge(List<CallResponse> answers) {
    String first = answers.getFirst().body();
    for (CallResponse answer : answers) {
      tally.answer(answer, answer.isCreated() && answer.body().equals(first));
    }
    long originals = answers.stream().filter(answer -> !answer.isReplayed()).count();
    if (originals != 1) {
      tally.wrong(originals + " answers of one herd were not replayed");
    }
  }
}
