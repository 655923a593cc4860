-- How far what has been taken of a rate of calls reaches: one row for each type of command with @CallsOut(atMost = …).
CREATE TABLE inbox_call_rate (
  type     text        COLLATE "C" PRIMARY KEY,
  free_at  timestamptz NOT NULL,                  -- from then on the type has its whole rate
  taken_at timestamptz NOT NULL                   -- later than now: by a clock that was ahead
);
