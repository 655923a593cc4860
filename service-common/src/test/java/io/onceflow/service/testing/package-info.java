/** What the services' tests have in common; ships in the test-jar. */
@NullMarked
package io.onceflow.service.testing;

import org.jspecify.annotations.NullMarked;
