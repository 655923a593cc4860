/**
 * Shipping labels by EasyPost. {@link io.onceflow.easypost.EasyPostLabels} buys and refunds them,
 * once under a step's key.
 */
@NullMarked
package io.onceflow.easypost;

import org.jspecify.annotations.NullMarked;
