-- A repair may carry sagas over to another version of their definition.
ALTER TABLE saga_repair ADD COLUMN to_version int;       -- null for other actions
ALTER TABLE saga_repair DROP CONSTRAINT saga_repair_action;
ALTER TABLE saga_repair ADD CONSTRAINT saga_repair_action
  CHECK (action IN ('RETRY', 'COMPENSATE', 'CANCEL', 'HOLD', 'RESUME', 'MIGRATE'));
ALTER TABLE saga_repair ADD CONSTRAINT saga_repair_version_of_migration
  CHECK ((action = 'MIGRATE') = (to_version IS NOT NULL));
