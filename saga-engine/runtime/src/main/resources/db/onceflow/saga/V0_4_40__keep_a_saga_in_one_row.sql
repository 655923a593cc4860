-- A saga is written as one row and an entry of its journal: with each of its transitions, a row for each step and one for
-- each line of its history cost half of what PostgreSQL did for it. Sagas from before keep their rows in saga_step until
-- they are written again, and in saga_history for ever; replicas of the last version read those tables only, so
-- onceflow.saga.compact-rows=false goes on writing them.
-- What is written from now on is checked: to check old rows, which have none, would be to read them all under a lock.
ALTER TABLE saga_instance
  ADD COLUMN steps json,     -- those that it has reached, as io.onceflow.saga.internal.store.StepsColumn has it; null: in saga_step
  ADD COLUMN steps_revision bigint,
  ADD CONSTRAINT saga_instance_steps_in_a_list CHECK (json_typeof(steps) = 'array') NOT VALID,
  -- A replica of the last version, which would see a saga without steps, cannot move it: it counts the revision alone.
  ADD CONSTRAINT saga_instance_steps_of_its_revision
    CHECK (steps IS NULL OR steps_revision IS NOT DISTINCT FROM revision) NOT VALID;

-- What one write did to a saga. Rows are added and never changed. No foreign key, as in saga_history.
CREATE TABLE saga_journal (
  saga_id  uuid        NOT NULL,
  revision bigint      NOT NULL,     -- of the saga after that write
  at       timestamptz NOT NULL,
  entries  json        NOT NULL,     -- [{"event", "step", "detail", "at"}]; "at" only where it differs from the row's
  PRIMARY KEY (saga_id, revision)
);

-- Both forms, for queries by saga.
CREATE VIEW saga_step_of_any_form AS
SELECT saga_id, position, name, status, expires_at, due_at, attempts, sent_at, replied_at,
       compensation_attempts, compensation_sent_at, compensation_replied_at,
       command_name, command_type, command_routing_key, command_payload
FROM   saga_step
WHERE  NOT EXISTS (SELECT FROM saga_instance WHERE id = saga_id AND steps IS NOT NULL)
UNION ALL
SELECT saga.id,
       (place - 1)::int,
       step ->> 'name',
       step ->> 'status',
       (step ->> 'expiresAt')::timestamptz,
       (step ->> 'dueAt')::timestamptz,
       (step ->> 'attempts')::int,
       (step ->> 'sentAt')::timestamptz,
       (step ->> 'repliedAt')::timestamptz,
       coalesce((step #>> '{compensation,attempts}')::int, 0),
       (step #>> '{compensation,sentAt}')::timestamptz,
       (step #>> '{compensation,repliedAt}')::timestamptz,
       step #>> '{command,name}',
       step #>> '{command,type}',
       step #>> '{command,routingKey}',
       step #>> '{command,payload}'
FROM   saga_instance saga,
       json_array_elements(saga.steps) WITH ORDINALITY AS reached (step, place);

CREATE VIEW saga_history_of_any_form AS
SELECT saga_id, revision, position, at, event, step, detail
FROM   saga_history
UNION ALL
SELECT saga_id,
       revision,
       (place - 1)::int,
       coalesce((entry ->> 'at')::timestamptz, at),
       entry ->> 'event',
       entry ->> 'step',
       entry ->> 'detail'
FROM   saga_journal,
       json_array_elements(entries) WITH ORDINALITY AS listed (entry, place);
