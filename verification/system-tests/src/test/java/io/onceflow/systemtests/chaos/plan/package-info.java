/** What the nemesis is going to do, and when: a pure function of a seed. */
@NullMarked
package io.onceflow.systemtests.chaos.plan;

import org.jspecify.annotations.NullMarked;
