CREATE TABLE account (
  id      uuid    PRIMARY KEY,
  points  integer NOT NULL,
  entries text    NOT NULL      -- what was done to it, one word each
);
