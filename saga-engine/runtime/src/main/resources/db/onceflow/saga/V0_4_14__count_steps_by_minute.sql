-- saga_step_minute has a row for each step that something happened to within the minute: as many as a definition has steps, however
-- many sagas there are. Items count as their step. A replica of an earlier release adds failures alone.
ALTER TABLE saga_step_minute
  ADD COLUMN entered   bigint NOT NULL DEFAULT 0,
  ADD COLUMN done      bigint NOT NULL DEFAULT 0,
  ADD COLUMN stuck     bigint NOT NULL DEFAULT 0,        -- its message, or that of its compensation, was sent too often
  ADD COLUMN durations int[]  NOT NULL DEFAULT '{}';     -- how many were answered, by the bucket of their duration
