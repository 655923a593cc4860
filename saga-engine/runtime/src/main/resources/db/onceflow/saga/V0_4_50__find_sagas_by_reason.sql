-- Operators look for sagas by the reason why they are or were undone. Few are: the others have no entry here. It may be
-- there: on a big table it can be built CONCURRENTLY before the upgrade.
CREATE INDEX IF NOT EXISTS saga_instance_by_reason ON saga_instance (reason, id) WHERE reason IS NOT NULL;
