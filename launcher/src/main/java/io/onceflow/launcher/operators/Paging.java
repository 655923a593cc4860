package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which page of a list. */
final class Paging {

  @Option(
      names = "--limit",
      defaultValue = "50",
      description = "So many; ${DEFAULT-VALUE} by default, at most 500.")
  private int limit;

  @Option(names = "--cursor", description = "What the page before ended with.")
  private @Nullable String cursor;

  Query on(Query query) {
    return query.with("limit", limit).with("cursor", cursor);
  }

  /** Says how to continue, unless the list ends here. */
  static void remarkNext(Server server, JsonNode page) {
    String next = Text.of(page, "next");
    if (!next.isEmpty()) {
      server.remark("There are more: --cursor " + next);
    }
  }
}
