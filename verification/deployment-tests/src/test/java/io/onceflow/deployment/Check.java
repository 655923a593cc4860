package io.onceflow.deployment;

import java.util.List;

/** Looks for one kind of mistake. */
@FunctionalInterface
interface Check {

  /** In words that name the object; none if all is well. */
  List<String> problems(Cluster cluster);
}
