/** Four stories told by a running Onceflow, each checked while it is told. */
@NullMarked
package io.onceflow.quickstart.demo;

import org.jspecify.annotations.NullMarked;
