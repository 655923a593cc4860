-- Garbage collection keeps the ended steps of a root key while another step of the same root key runs. It asks for each
-- expired row whether there is one: this index answers, however many steps run.
CREATE INDEX inbox_message_started ON inbox_message (scope, (coalesce(substring(step_key FROM '^(.*):'), step_key)))
  WHERE status = 'STARTED';
