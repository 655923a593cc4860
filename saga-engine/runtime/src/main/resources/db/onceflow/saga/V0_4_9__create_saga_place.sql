-- Which sagas run, and which wait, where a definition limits how many run at once: a row from a saga's start to its end. Sagas of
-- other definitions have none. No foreign key, as in saga_journal.
CREATE TABLE saga_place (
  saga_id      uuid        PRIMARY KEY,
  definition   text        COLLATE "C" NOT NULL,
  key          text        COLLATE "C" NOT NULL CHECK (length(key) <= 200),  -- what the limit is for, such as a customer
  queued_since timestamptz                                                   -- NULL: it runs
);

-- Counted where a saga starts and where one ends; the queue of a key is in the order of time.
CREATE INDEX saga_place_by_key ON saga_place (definition, key, queued_since);
