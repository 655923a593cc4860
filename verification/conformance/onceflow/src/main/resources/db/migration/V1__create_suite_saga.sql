CREATE TABLE suite_saga (
  id    uuid    PRIMARY KEY,
  key   text    NOT NULL UNIQUE,
  waits boolean NOT NULL,
  error text
);
