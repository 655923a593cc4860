-- The business's own table, of which the saga's tables know nothing.
CREATE TABLE test_order (
  id            uuid    PRIMARY KEY,
  noted         text[]  NOT NULL,
  confirmed     boolean NOT NULL,
  cancelled_for text
);
