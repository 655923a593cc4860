package io.onceflow.shipping.domain.planted;

import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Breaks a rule of the house on purpose: the domain knows no framework. */
public class KnowingTheFramework {

  @Nullable Response answer;
}
