package io.onceflow.benchmarks.saga.load;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Orders whose answers are stored, each to be asked for again by its own customer. */
public final class Finished {

  private final Keys keys = new Keys();
  private final int each;
  private final int clients;
  private final int[] asked;

  private Finished(int clients, int each) {
    this.clients = clients;
    this.each = each;
    asked = new int[clients];
  }

  /**
   * Places them.
   *
   * @param many how many clients
   * @param each how many orders of each client
   * @throws IllegalStateException if one is refused
   */
  public static Finished place(OrderClients clients, int many, int each)
      throws InterruptedException {
    Finished finished = new Finished(many, each);
    try {
      for (int round = 0; round < each; round++) {
        List<Future<Placed>> placed = new ArrayList<>();
        for (int client = 0; client < many; client++) {
          placed.add(clients.post(client, finished.key(client, round)));
        }
        Future.all(placed).toCompletionStage().toCompletableFuture().get();
        if (!placed.stream().allMatch(it -> it.result().isNew())) {
          throw new IllegalStateException("An order was refused");
        }
      }
      return finished;
    } catch (ExecutionException e) {
      throw new IllegalStateException("The order service does not answer; see its log", e);
    }
  }

  private String key(int client, int round) {
    return keys.get((long) round * clients + client);
  }

  /** The next key of a client, over and over. */
  String next(int client) {
    int round = asked[client]++ % each;
    return key(client, round);
  }
}
