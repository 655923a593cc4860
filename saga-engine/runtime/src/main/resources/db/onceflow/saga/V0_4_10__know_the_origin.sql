-- Participants tell the sagas of two orchestrators, or of two definitions, that have the same root key apart by their
-- origin. A saga that was begun before keeps the empty one, and with it its step keys.
ALTER TABLE saga_instance
  ADD COLUMN origin text NOT NULL DEFAULT '';    -- <application>/<definition>
