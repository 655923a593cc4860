package io.onceflow.reconciliation.internal.book;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.reconciliation.Book.Window;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.internal.book.SqlBook.Line;
import io.onceflow.saga.internal.operators.Roles;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Shows the books of this service to others that compare them with theirs. */
@Path("/books/{name}")
@RolesAllowed(Roles.OPERATOR)
@Tag(name = "Reconciliation")
@Produces(MediaType.APPLICATION_JSON)
public class BookResource {

  private static final int LARGEST_PAGE = 1_000;

  private static final String MOMENT =
      "(19[7-9]\\d|2\\d{3})-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?Z";
  private static final String NO_MOMENT = "must be a moment like 2026-11-25T00:00:00Z";

  private static final String NO_REFERENCE = "must be up to 200 visible ASCII characters";

  private final Books books;
  private final BookPages pages;

  BookResource(Books books, ObjectMapper json) {
    this.books = books;
    this.pages = new BookPages(json);
  }

  /** A page of a book: fewer entries than asked for where they are large. */
  @GET
  @Operation(summary = "List the entries of a book that were made between two moments")
  @APIResponse(responseCode = "404", description = "There is no such book")
  public BookPage read(
      @PathParam("name") String name,
      @QueryParam("from") @NotNull @Pattern(regexp = MOMENT, message = NO_MOMENT) String from,
      @QueryParam("to") @NotNull @Pattern(regexp = MOMENT, message = NO_MOMENT) String to,
      @QueryParam("cursor") @Size(max = 40) @Nullable String cursor,
      @QueryParam("limit") @DefaultValue("1000") @Min(1) @Max(LARGEST_PAGE) int limit)
      throws IOException {
    Window window = new Window(moment(from), moment(to));
    return pages.of(page(book(name), window, cursor, limit), limit);
  }

  private static List<Line> page(SqlBook book, Window window, @Nullable String cursor, int limit)
      throws IOException {
    try {
      return book.page(window, cursor, limit);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("cursor is none of this book", e);
    }
  }

  /** What a book has under a reference. */
  @GET
  @Path("/entries")
  @Operation(summary = "List what a book has under a reference")
  @APIResponse(responseCode = "404", description = "There is no such book")
  public BookPage find(
      @PathParam("name") String name,
      @QueryParam("reference")
          @NotNull
          @Pattern(regexp = BookEntry.REFERENCE, message = NO_REFERENCE)
          String reference)
      throws IOException {
    return pages.of(book(name).find(reference));
  }

  private SqlBook book(String name) {
    return books
        .query(name)
        .orElseThrow(() -> new NotFoundException("There is no book of this name here."));
  }

  private static Instant moment(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new BadRequestException("from or to is no moment: " + text, e);
    }
  }
}
