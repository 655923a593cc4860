-- Operators list a definition's ended sagas, also of a definition that has few among millions or none with that status: the
-- walk through all ids took longer than a query may. A saga has no entry before its end, and one then; steps write none.
-- It may be there: on a big table it can be built CONCURRENTLY before the upgrade.
CREATE INDEX IF NOT EXISTS saga_instance_ended ON saga_instance (definition, status, id) WHERE next_action_at IS NULL;
