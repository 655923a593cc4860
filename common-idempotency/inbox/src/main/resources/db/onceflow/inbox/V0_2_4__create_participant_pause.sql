-- A participant that operators have paused: its replicas look here every two seconds, and take no commands while there is a row.
CREATE TABLE participant_pause (
  participant text        COLLATE "C" PRIMARY KEY,    -- the application's name
  paused_by   text        NOT NULL,                   -- the subject of the token
  paused_at   timestamptz NOT NULL DEFAULT now(),
  reason      text                                    -- in the operator's words
);
