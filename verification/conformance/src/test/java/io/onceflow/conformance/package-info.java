@NullMarked
package io.onceflow.conformance;

import org.jspecify.annotations.NullMarked;
