package io.onceflow.benchmarks.saga.load;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Orders whose answers are stored, each to be requested again by its own customer. */
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
          ClosedLoop.Request request = finished.request(client, round);
          placed.add(clients.post(request.customer(), request.key()));
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

  /** Each order is another customer's: replays are so many that a few would exceed their quota. */
  private ClosedLoop.Request request(int client, int round) {
    int order = round * clients + client;
    return new ClosedLoop.Request(order, keys.get(order));
  }

  /** The next request of a client, over and over. */
  ClosedLoop.Request next(int client) {
    return request(client, asked[client]++ % each);
  }
}
