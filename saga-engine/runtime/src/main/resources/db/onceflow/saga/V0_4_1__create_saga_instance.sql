-- One row per saga: where it stands and when it is next looked after. What the saga is about lies in the business's
-- own rows; nothing of it is kept here. The steps are in the row, so that a transition is one row and a line of the journal;
-- their rules are checked by the code, since a constraint over JSON would cost a function call with each write.
--
-- Keys are compared byte by byte: a new version of the operating system's locales would reorder their indexes otherwise.
CREATE TABLE saga_instance (
  id                uuid        PRIMARY KEY,           -- UUIDv7: the order in which they were started
  definition        text        COLLATE "C" NOT NULL,
  version           int         NOT NULL,              -- of the definition; kept for the saga's whole life
  subject_id        uuid        NOT NULL,              -- the business's row, such as the order
  scope             text        COLLATE "C" NOT NULL,  -- whose root key it is
  root_key          text        COLLATE "C" NOT NULL,  -- step keys are <root key>:<step>@<origin>
  origin            text        NOT NULL,              -- <application>/<definition>: participants tell two sagas of one root key apart by it
  traceparent       text,                              -- of the request that started it
  status            text        COLLATE "C" NOT NULL,
  reason            text        COLLATE "C",           -- why it is undone
  steps             json        NOT NULL,              -- those that it has reached, as io.onceflow.saga.internal.store.StepsColumn has it
  revision          bigint      NOT NULL,              -- a writer follows the state it has read, or not at all
  next_action_at    timestamptz,                       -- when its timer fires, which may be before something is to be sent again,
                                                       --   or later by a fifth of the wait; infinity: in quarantine, or
                                                       --   on hold, as long as no end of that is set
  failures          int         NOT NULL DEFAULT 0,    -- of handling it, in a row, since it was last moved
  quarantined_at    timestamptz,                       -- these two mean something while the timer is at infinity:
  quarantine_reason text,                              --   handling it fails, and nothing takes it until an operator or a reply moves it
  hold              json,                              -- an operator holds it: {"by", "reason", "since", "until", "definition", "timer"};
                                                       --   the last is next_action_at as it was. Nothing moves it meanwhile
  started_at        timestamptz NOT NULL,
  deadline_at       timestamptz,                       -- until when it may reach its pivot
  ended_at          timestamptz,
  CONSTRAINT saga_instance_one_per_subject UNIQUE (definition, subject_id),
  CONSTRAINT saga_instance_status CHECK (status IN ('QUEUED', 'RUNNING', 'COMPENSATING', 'COMPLETED', 'COMPENSATED', 'STUCK')),
  CONSTRAINT saga_instance_has_an_origin CHECK (origin <> ''),
  CONSTRAINT saga_instance_steps_in_a_list CHECK (json_typeof(steps) = 'array'),
  CONSTRAINT saga_instance_ended_at_its_end CHECK ((status IN ('COMPLETED', 'COMPENSATED')) = (ended_at IS NOT NULL)),
  CONSTRAINT saga_instance_timer_until_its_end CHECK ((next_action_at IS NULL) = (ended_at IS NOT NULL)),
  CONSTRAINT saga_instance_hold_until_its_end CHECK (hold IS NULL OR ended_at IS NULL),
  CONSTRAINT saga_instance_deadline_while_running CHECK (status IN ('QUEUED', 'RUNNING') OR deadline_at IS NULL),
  CONSTRAINT saga_instance_undone_for_a_reason CHECK (status NOT IN ('COMPENSATING', 'COMPENSATED') OR reason IS NOT NULL),
  CONSTRAINT saga_instance_completed_without_one CHECK (status <> 'COMPLETED' OR reason IS NULL)
) WITH (fillfactor = 45);                                -- a reply changes no indexed column: its row finds room on its page

-- The index of saga_instance_one_per_subject is read where a subject's saga is asked for, and for the list of definitions.

-- Read by timers, and by gauges and operators' lists, for the sagas that have not ended: each has a timer.
CREATE INDEX saga_instance_due ON saga_instance (definition, next_action_at) WHERE next_action_at IS NOT NULL;

-- Read when a saga starts, for whether its root key was used before: a client may use one again once its idempotency record
-- has expired. Also by operators who look for a customer's sagas.
CREATE INDEX saga_instance_by_root_key ON saga_instance (scope, root_key);

-- Read by operators who look for sagas by the reason why they are or were undone. Few are: the others have no entry here.
CREATE INDEX saga_instance_by_reason ON saga_instance (reason, id) WHERE reason IS NOT NULL;

-- Read by operators who list a definition's ended sagas, also of a definition that has few among millions or none with that
-- status. A saga has no entry before its end, and one then.
CREATE INDEX saga_instance_ended ON saga_instance (definition, status, id) WHERE next_action_at IS NULL;

-- What one write did to a saga. Rows are added, and of them only the payload of a command is erased once that is answered: it
-- may name a card. No foreign key: the store alone writes here, after the
-- saga's own row in the same transaction, and the check would lock that row once more.
CREATE TABLE saga_journal (
  saga_id  uuid        NOT NULL,
  revision bigint      NOT NULL,                       -- of the saga after that write
  at       timestamptz NOT NULL,
  entries  json        NOT NULL,                       -- [{"event", "step", "detail", "at"}]; "at" only where it differs from the row's
  commands json,                                       -- [{"name", "payload"}]: what the write sent first; it is sent again from here
  PRIMARY KEY (saga_id, revision)
) WITH (fillfactor = 80);                                -- an erased row is shorter, and finds room on its page

-- The steps of sagas, a row each; to be asked by saga_id.
CREATE VIEW saga_step AS
SELECT saga.id                                                 AS saga_id,
       (place - 1)::int                                        AS position,
       step ->> 'name'                                         AS name,
       step ->> 'status'                                       AS status,
       (step ->> 'expiresAt')::timestamptz                     AS expires_at,
       (step ->> 'dueAt')::timestamptz                         AS due_at,
       (step ->> 'attempts')::int                              AS attempts,
       (step ->> 'sentAt')::timestamptz                        AS sent_at,
       (step ->> 'repliedAt')::timestamptz                     AS replied_at,
       coalesce((step #>> '{compensation,attempts}')::int, 0)  AS compensation_attempts,
       (step #>> '{compensation,sentAt}')::timestamptz         AS compensation_sent_at,
       (step #>> '{compensation,repliedAt}')::timestamptz      AS compensation_replied_at,
       step #>> '{command,name}'                               AS command_name,
       step #>> '{command,type}'                               AS command_type,
       step #>> '{command,routingKey}'                         AS command_routing_key,
       (SELECT command ->> 'payload'
        FROM   saga_journal journal,
               json_array_elements(journal.commands) AS command
        WHERE  journal.saga_id = saga.id
        AND    journal.revision = (step #>> '{command,revision}')::bigint
        AND    command ->> 'name' = step #>> '{command,name}')  AS command_payload
FROM   saga_instance saga,
       json_array_elements(saga.steps) WITH ORDINALITY AS reached (step, place);

-- The lines of journals, a row each; to be asked by saga_id.
CREATE VIEW saga_history AS
SELECT saga_id,
       revision,
       (place - 1)::int                                        AS position,
       coalesce((entry ->> 'at')::timestamptz, at)             AS at,
       entry ->> 'event'                                       AS event,
       entry ->> 'step'                                        AS step,
       entry ->> 'detail'                                      AS detail
FROM   saga_journal,
       json_array_elements(entries) WITH ORDINALITY AS listed (entry, place);
