package io.onceflow.order.imports;

import io.onceflow.order.domain.OrderDraft;

/**
 * An order of an import that is still to be placed.
 *
 * @param position in the request, from 0
 */
record ImportLine(int position, OrderDraft draft) {}
