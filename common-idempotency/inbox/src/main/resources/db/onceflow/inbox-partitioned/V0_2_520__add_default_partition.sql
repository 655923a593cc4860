-- A row for which no partition was made in time (garbage collection stood still for days) goes here instead of failing its
-- transaction. Garbage collection moves it when it makes the partition of its day; a row of a day that is past expires
-- here, and is deleted like any other.
DO $$
DECLARE
  primary_key text := (SELECT pg_get_constraintdef(c.oid)
                       FROM   pg_constraint c
                       JOIN   pg_inherits i ON i.inhrelid = c.conrelid
                       WHERE  i.inhparent = 'inbox_message'::regclass
                       AND    c.contype = 'p'
                       LIMIT  1);
BEGIN
  EXECUTE format('CREATE TABLE inbox_message_default
                    (LIKE inbox_message INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE, %s)', primary_key);
  ALTER TABLE inbox_message ATTACH PARTITION inbox_message_default DEFAULT;
END
$$;
