-- Where a definition limits its running sagas by a key and in all, a saga has a place for each; that in all has an empty key. Where
-- it limits starts as well, a saga takes its turn when it has its places.
ALTER TABLE saga_place
  DROP CONSTRAINT saga_place_pkey,
  ADD PRIMARY KEY (saga_id, key),
  ADD COLUMN turn_key text COLLATE "C" CHECK (length(turn_key) <= 200),  -- whose turn it will take; NULL: it needs none
  ADD COLUMN turn_at  timestamptz;                                       -- when its turn comes; NULL: at once, or not known
