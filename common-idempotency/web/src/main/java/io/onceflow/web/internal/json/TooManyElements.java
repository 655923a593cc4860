package io.onceflow.web.internal.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.util.List;

/** A list is longer than it may be; it was read only so far. */
final class TooManyElements extends MismatchedInputException {

  private static final long serialVersionUID = 1L;

  TooManyElements(JsonParser parser, int most) {
    super(parser, "may have at most %s elements".formatted(most), List.class);
  }
}
