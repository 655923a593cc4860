CREATE TABLE account (
  id     uuid    PRIMARY KEY,
  points integer NOT NULL
);

CREATE SEQUENCE account_entry_seq INCREMENT 50;

CREATE TABLE account_entry (
  id         bigint PRIMARY KEY,
  account_id uuid   NOT NULL,
  word       text   NOT NULL      -- what was done to it
);
