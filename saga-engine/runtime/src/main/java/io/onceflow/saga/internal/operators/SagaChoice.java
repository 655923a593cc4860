package io.onceflow.saga.internal.operators;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.view.SagaFilter;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.QueryParam;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** Which sagas an operator requests, by the query parameters. */
public class SagaChoice {

  /** An operator can look through so many, and one query reads them. */
  private static final int LARGEST_PAGE = 500;

  @QueryParam("status")
  @Parameter(schema = @Schema(implementation = SagaStatus.class))
  @Nullable String status;

  @QueryParam("open")
  @Parameter(
      description = "true for sagas that have not ended; false for those that have.",
      schema = @Schema(type = SchemaType.BOOLEAN))
  @Nullable String open;

  @QueryParam("quarantined")
  @Parameter(
      description =
          "true for sagas in quarantine: handling them failed again and again, and their timers"
              + " rest; false for the others.",
      schema = @Schema(type = SchemaType.BOOLEAN))
  @Nullable String quarantined;

  @QueryParam("held")
  @Parameter(
      description = "true for sagas that operators hold; false for the others.",
      schema = @Schema(type = SchemaType.BOOLEAN))
  @Nullable String held;

  @QueryParam("definition")
  @Parameter(description = "The definition's name, such as place-order.")
  @Nullable String definition;

  @QueryParam("olderThan")
  @Parameter(description = "Started at least this long ago: an ISO-8601 duration such as PT1H.")
  @Nullable String olderThan;

  @QueryParam("version")
  @Parameter(description = "The definition's version.", schema = @Schema(type = SchemaType.INTEGER))
  @Nullable String version;

  @QueryParam("step")
  @Parameter(description = "The step that they wait for now, such as process-payment.")
  @Nullable String step;

  @QueryParam("direction")
  @Parameter(
      description = "forward for those that wait for a step, backward for its compensation.",
      schema = @Schema(enumeration = {"forward", "backward"}))
  @Nullable String direction;

  @QueryParam("command")
  @Parameter(
      description =
          "The routing key of the command that they wait for now, or its first word, which leads"
              + " to its participant.",
      example = "payment")
  @Nullable String command;

  @QueryParam("failure")
  @Parameter(description = "Those of the group of failing sagas with this fingerprint.")
  @Nullable String failure;

  @QueryParam("reason")
  @Parameter(description = "Why they are or were undone, such as PAYMENT_DECLINED.")
  @Nullable String reason;

  @QueryParam("overdue")
  @Parameter(
      description =
          "true for those whose timer should have been served ten seconds ago, or whose deadline"
              + " has passed.",
      schema = @Schema(type = SchemaType.BOOLEAN))
  @Nullable String overdue;

  @QueryParam("startedAfter")
  @Parameter(description = "Not before this moment, such as 2026-03-01T08:00:00Z.")
  @Nullable String startedAfter;

  @QueryParam("startedBefore")
  @Parameter(description = "Before this moment.")
  @Nullable String startedBefore;

  @QueryParam("subject")
  @Parameter(
      description = "The id of what they are about, such as an order's.",
      schema = @Schema(type = SchemaType.STRING, format = "uuid"))
  @Nullable String subject;

  @QueryParam("customer")
  @Parameter(description = "Whose they are: the scope of the idempotency key. Operators only.")
  @Nullable String customer;

  @QueryParam("attribute")
  @Parameter(
      description =
          "What they were started with, as name:value, where their definition declares it as"
              + " searchable. Operators only.",
      example = "orderNumber:4711")
  @Nullable String attribute;

  @QueryParam("order")
  @Parameter(
      description = "oldest first, which is the default, or newest.",
      schema = @Schema(enumeration = {"oldest", "newest"}))
  @Nullable String order;

  @QueryParam("limit")
  @DefaultValue("100")
  @Parameter(schema = @Schema(minimum = "1", maximum = "500", defaultValue = "100"))
  int limit;

  @QueryParam("cursor")
  @Parameter(description = "`next` of the page before.")
  @Nullable UUID cursor;

  /** How many are to be shown at most. */
  int limit() {
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new BadRequestException("limit is %s: 1 to %s".formatted(limit, LARGEST_PAGE));
    }
    return limit;
  }

  SagaFilter filter() {
    Map<String, @Nullable String> parts = new HashMap<>();
    parts.put("status", status);
    parts.put("open", open);
    parts.put("quarantined", quarantined);
    parts.put("held", held);
    parts.put("definition", definition);
    parts.put("olderThan", olderThan);
    parts.put("version", version);
    parts.put("step", step);
    parts.put("direction", direction);
    parts.put("command", command);
    parts.put("failure", failure);
    parts.put("reason", reason);
    parts.put("overdue", overdue);
    parts.put("startedAfter", startedAfter);
    parts.put("startedBefore", startedBefore);
    parts.put("subject", subject);
    parts.put("customer", customer);
    parts.put("attribute", attribute);
    return SagaFilterReader.read(parts);
  }

  /** One saga more than is to be shown: it tells whether there is a next page. */
  SagaFilter.Page page() {
    return new SagaFilter.Page(cursor, isNewestFirst(), limit() + 1);
  }

  /** Whether the query asks for what only operators may see. */
  boolean asksForPersonalData() {
    return customer != null || attribute != null;
  }

  private boolean isNewestFirst() {
    return switch (order) {
      case null -> false;
      case "oldest" -> false;
      case "newest" -> true;
      default -> throw new BadRequestException("order is %s: oldest or newest".formatted(order));
    };
  }
}
