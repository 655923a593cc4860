-- Steps that are due are looked for from a moment on: entries of steps that have ended lie before it, and stay in the
-- index while another transaction, such as a backup, keeps its snapshot. By type and scope they would be read past.
-- It may be there: on a big table it can be built CONCURRENTLY before the upgrade.
CREATE INDEX IF NOT EXISTS inbox_message_lease_over ON inbox_message (lease_expires_at) WHERE status = 'STARTED';
