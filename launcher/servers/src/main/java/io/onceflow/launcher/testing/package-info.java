/** Real servers for the tests of every module, and the tokens to call the services with. */
@NullMarked
package io.onceflow.launcher.testing;

import org.jspecify.annotations.NullMarked;
