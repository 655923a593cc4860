package io.onceflow.order.domain.planted;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** Breaks a rule of the house on purpose: the domain knows no framework. */
public class KnowingTheFramework {

  @Nullable ObjectMapper json;
}
