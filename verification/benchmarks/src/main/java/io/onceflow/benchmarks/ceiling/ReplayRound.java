package io.onceflow.benchmarks.ceiling;

/** One saga executed again: its ids, and the number that the database gave out last. */
final class ReplayRound {

  private final String[] ids;
  private long givenNumber = -1;

  ReplayRound(Ids ids) {
    this.ids = ids.fresh();
  }

  /** The new id at a position of {@link Ids}. */
  String id(int position) {
    return ids[position];
  }

  /** Notes a number, such as a fencing token. */
  void give(long number) {
    givenNumber = number;
  }

  /** The number that was noted last. */
  long givenNumber() {
    if (givenNumber < 0) {
      throw new IllegalStateException(
          "A statement wants a number that the database has given out, and no result showed one");
    }
    return givenNumber;
  }
}
