package io.onceflow.reconciliation.internal.book;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.reconciliation.BookEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a book, as one service shows it to another.
 *
 * @param next cursor of the next page; absent on the last
 */
public record BookPage(
    List<BookEntry> entries, @JsonInclude(Include.NON_NULL) @Nullable String next) {}
