CREATE TABLE account (
  id     uuid    PRIMARY KEY,
  points integer NOT NULL
);
