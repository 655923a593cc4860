-- A step's row is written when its command is sent and again when the reply comes. None of its columns but the key is
-- indexed, so the second version needs no index entry if it finds room on its page.
ALTER TABLE saga_step SET (fillfactor = 75);

-- Sagas that have not ended are found by their timers, of which each has one: a second index of them is written with
-- every step, and asked by operators and a gauge only.
DROP INDEX saga_instance_open;
