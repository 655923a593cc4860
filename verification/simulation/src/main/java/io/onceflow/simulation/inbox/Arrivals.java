package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.consumer.BatchLoop;
import io.onceflow.inbox.internal.consumer.BatchWorker;
import io.onceflow.inbox.internal.consumer.LockedItems;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.Waiter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that have arrived, for one task that handles them in batches: a {@link BatchWorker}
 * of one task.
 */
final class Arrivals<T> {

  private final Kernel kernel;
  private final Node node;
  private final int largestBatch;
  private final BatchLoop<T> loop;
  private final String name;
  private final List<T> arrived = new ArrayList<>();
  private @Nullable Waiter idle;

  Arrivals(Kernel kernel, Node node, String name, int largestBatch, BatchWorker.Work<T> work) {
    this.kernel = kernel;
    this.node = node;
    this.name = name;
    this.largestBatch = largestBatch;
    this.loop = new BatchLoop<>(name, work, kernel::sleep, () -> true, kernel::now);
  }

  void start() {
    kernel.spawn(node, name, this::run);
  }

  void accept(T item) {
    arrived.add(item);
    if (idle != null) {
      idle.wake();
    }
  }

  private void run() throws InterruptedException {
    while (true) {
      if (arrived.isEmpty()) {
        idle = kernel.waiter();
        idle.await();
        idle = null;
      }
      List<T> head = arrived.subList(0, Math.min(largestBatch, arrived.size()));
      List<T> batch = List.copyOf(head);
      head.clear();
      for (T locked : loop.settleButLocked(batch, LockedItems.MOST)) {
        kernel.spawn(node, name + "-apart", () -> loop.settle(List.of(locked)));
      }
    }
  }
}
