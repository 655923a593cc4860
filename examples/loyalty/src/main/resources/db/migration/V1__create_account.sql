CREATE TABLE account (
  customer text    PRIMARY KEY,
  points   bigint  NOT NULL,
  changes  integer NOT NULL         -- how often points were added
);
