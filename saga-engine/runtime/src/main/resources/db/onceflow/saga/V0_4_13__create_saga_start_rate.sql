-- How far what sagas have taken of a limit of starts reaches: one row for each key of a definition that has such a limit,
-- deleted some time after it lies in the past.
CREATE TABLE saga_start_rate (
  definition text        COLLATE "C" NOT NULL,
  key        text        COLLATE "C" NOT NULL CHECK (length(key) <= 200),  -- what the limit is for, such as a customer
  free_at    timestamptz NOT NULL,                                         -- from then on the key has its whole rate
  taken_at   timestamptz NOT NULL,                                         -- later than now: by a clock that was ahead
  PRIMARY KEY (definition, key)
);
