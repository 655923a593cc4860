package io.onceflow.audit.internal;

import io.onceflow.inbox.internal.audit.AuditFilter;
import io.onceflow.inbox.internal.audit.AuditSubject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** Which entries of the audit log a caller asks for, by the query parameters. */
public class AuditChoice {

  /** An operator can look through so many, and one query reads them. */
  private static final int LARGEST_PAGE = 500;

  private static final int LONGEST_TEXT = 200;

  @QueryParam("saga")
  @Parameter(description = "A saga's id.")
  @Nullable UUID saga;

  @QueryParam("repair")
  @Parameter(description = "A repair's id.")
  @Nullable UUID repair;

  @QueryParam("parkedMessage")
  @Parameter(description = "A parked message's id.")
  @Nullable UUID parkedMessage;

  @QueryParam("actor")
  @Parameter(description = "Who acted: the subject of the token.")
  @Nullable String actor;

  @QueryParam("action")
  @Parameter(description = "What was done, such as retry.")
  @Nullable String action;

  @QueryParam("limit")
  @DefaultValue("100")
  @Parameter(schema = @Schema(minimum = "1", maximum = "500", defaultValue = "100"))
  int limit;

  @QueryParam("cursor")
  @Parameter(description = "`next` of the page before.")
  @Nullable String cursor;

  /** One entry more than is to be shown: it tells whether there is a next page. */
  AuditFilter filter() {
    return new AuditFilter(
        subject(), text("actor", actor), text("action", action), before(), limit() + 1);
  }

  int limit() {
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new BadRequestException("limit is %s: 1 to %s".formatted(limit, LARGEST_PAGE));
    }
    return limit;
  }

  private @Nullable AuditSubject subject() {
    List<AuditSubject> subjects =
        Stream.of(
                saga == null ? null : AuditSubject.saga(saga),
                repair == null ? null : AuditSubject.repair(repair),
                parkedMessage == null ? null : AuditSubject.parkedMessage(parkedMessage))
            .filter(Objects::nonNull)
            .toList();
    if (subjects.size() > 1) {
      throw new BadRequestException("saga, repair and parkedMessage: one of them at most");
    }
    return subjects.isEmpty() ? null : subjects.getFirst();
  }

  /** PostgreSQL rejects a NUL, and no name that was recorded has a control character. */
  private static @Nullable String text(String parameter, @Nullable String value) {
    if (value != null
        && (value.length() > LONGEST_TEXT || value.chars().anyMatch(Character::isISOControl))) {
      throw new BadRequestException(
          "%s is at most %s visible characters".formatted(parameter, LONGEST_TEXT));
    }
    return value;
  }

  private @Nullable Long before() {
    try {
      return cursor == null ? null : Long.valueOf(cursor);
    } catch (NumberFormatException e) {
      throw new BadRequestException("cursor is not the next of a page", e);
    }
  }
}
