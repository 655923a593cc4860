CREATE TABLE suite_saga (
  id    uuid    PRIMARY KEY,
  waits boolean NOT NULL
);
