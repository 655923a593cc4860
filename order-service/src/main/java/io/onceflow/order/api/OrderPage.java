package io.onceflow.order.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of orders, newest first.
 *
 * @param orders at most as many as asked for
 * @param next cursor of the next page; absent on the last
 */
@JsonInclude(Include.NON_NULL)
record OrderPage(List<OrderView> orders, @Nullable String next) {}
