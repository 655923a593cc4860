package io.onceflow.web.internal.http.planted;

import io.onceflow.web.internal.logging.PrintableLines;
import jakarta.inject.Inject;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Breaks three rules of the house on purpose: features do not know each other, fields are not
 * injected, and there is one way to log.
 */
public class Meddling {

  @Inject @Nullable PrintableLines lines;
  @Nullable Logger log;
}
