-- Of the sagas that wait for a place of one key, those with a higher priority come first.
ALTER TABLE saga_place ADD COLUMN priority int NOT NULL DEFAULT 0;

-- The next of a key is its first entry. Sagas that run have none here.
CREATE INDEX saga_place_queue ON saga_place (definition, key, priority DESC, queued_since, saga_id)
WHERE queued_since IS NOT NULL;
