/** What the product's own tests share besides the test kit. */
@NullMarked
package io.onceflow.test.internal;

import org.jspecify.annotations.NullMarked;
