package io.onceflow.systemtests.chaos.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Every request for an order with its answer, in the form of Knossos: an operation is an {@code
 * :invoke} and its completion, which is {@code :ok} with the order's id, {@code :fail} where the
 * request had no effect, or {@code :info} where that is not known. A process has one operation at a
 * time, and none after an {@code :info}.
 */
final class EntryHistory {

  private final long beginning = System.nanoTime();
  private final List<String> lines = new ArrayList<>();
  private final PriorityQueue<Integer> idle = new PriorityQueue<>();
  private int processes;

  /** Sends a request. */
  interface Request {
    Api.Answer send() throws IOException;
  }

  /** Sends a request for an order under a key, and records both ends of it. */
  Api.Answer place(String key, Request request) throws IOException {
    int process = invoke(key);
    Api.Answer answer = null;
    try {
      answer = request.send();
      return answer;
    } finally {
      complete(
          process, key, answer == null ? 0 : answer.status(), answer == null ? "" : id(answer));
    }
  }

  private static String id(Api.Answer answer) {
    return answer.status() == 201 ? Payloads.text(answer.body(), "id") : "";
  }

  private synchronized int invoke(String key) {
    int process = idle.isEmpty() ? processes++ : idle.remove();
    add(process, "invoke", key, "");
    return process;
  }

  private synchronized void complete(int process, String key, int status, String orderId) {
    String type = type(status, orderId);
    add(process, type, key, orderId);
    if (!type.equals("info")) {
      idle.add(process);
    }
  }

  /** A refusal is a promise that nothing was done; all else but an order's id says nothing. */
  private static String type(int status, String orderId) {
    if (!orderId.isEmpty()) {
      return "ok";
    }
    return status >= 400 && status < 500 ? "fail" : "info";
  }

  private void add(int process, String type, String key, String orderId) {
    lines.add(
        "{:process %s, :type :%s, :f :place, :value [\"%s\" %s], :time %s}"
            .formatted(
                process,
                type,
                key,
                orderId.isEmpty() ? "nil" : "\"" + orderId + "\"",
                System.nanoTime() - beginning));
  }

  /** Writes an operation a line, in the order in which they were recorded. */
  synchronized void write(Path file) {
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
