/**
 * What is seen from outside when all is quiet again, and the laws that it must obey: pure, so that
 * each law can be shown to go red.
 */
@NullMarked
package io.onceflow.systemtests.chaos.world;

import org.jspecify.annotations.NullMarked;
