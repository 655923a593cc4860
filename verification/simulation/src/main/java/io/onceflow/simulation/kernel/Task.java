package io.onceflow.simulation.kernel;

import org.jspecify.annotations.Nullable;

/** A task of a process, which runs from one step to the next. */
public final class Task {

  private final Kernel kernel;
  private final Node node;
  private final String name;
  private final int life;
  private final Coroutine coroutine;
  private @Nullable Throwable failure;

  /** What is done. */
  @FunctionalInterface
  public interface Body {

    /** Runs the task. Any exception ends the run, since the task should have handled it. */
    void run() throws Exception;
  }

  Task(Kernel kernel, Node node, String name, Body body) {
    this.kernel = kernel;
    this.node = node;
    this.name = name;
    this.life = node.life();
    this.coroutine = new Coroutine(() -> runOut(body));
  }

  private void runOut(Body body) {
    try {
      body.run();
    } catch (Exception | Error e) {
      failure = e;
    }
  }

  private void runOn() {
    kernel.run(this, coroutine);
    if (failure != null) {
      throw new IllegalStateException(name + " of " + node + " failed", failure);
    }
  }

  /** Resumes the task, unless its process has died; later, if its process hangs. */
  public void resume() {
    if (!isAlive()) {
      return;
    }
    long hanging = node.hangsUntil() - kernel.now();
    if (hanging > 0) {
      kernel.after(hanging, this::resume);
      return;
    }
    runOn();
  }

  /** Whether it can still continue. */
  public boolean isAlive() {
    return node.isUp() && node.life() == life && !coroutine.isDone();
  }

  /** Whose it is. */
  public Node node() {
    return node;
  }
}
