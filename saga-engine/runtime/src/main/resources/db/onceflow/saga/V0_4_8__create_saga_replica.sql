-- The processes that run sagas, and the versions of definitions that each knows: a version is started only while all of
-- them know it. Each writes its row every ten seconds, and deletes it when it stops; one that died is not counted any more
-- after half a minute.
CREATE TABLE saga_replica (
  id         uuid        PRIMARY KEY,                  -- of the process, made at its start
  known      text[]      COLLATE "C" NOT NULL,         -- such as "place-order v1"
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);                              -- its time is written again and again
