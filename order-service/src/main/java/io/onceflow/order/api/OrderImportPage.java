package io.onceflow.order.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.order.imports.OrderImport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of imports, newest first.
 *
 * @param imports at most as many as asked for, without their orders
 * @param next cursor of the next page; absent on the last
 */
@JsonInclude(Include.NON_NULL)
record OrderImportPage(List<OrderImport> imports, @Nullable String next) {}
