-- Takes over a claim whose lease ended long ago, for the recovery sweep.
-- KEYS[1] the record; ARGV: new token, grace in ms, lease in ms.
local record = redis.call('HMGET', KEYS[1], 'status', 'lease_expires_at', 'scope', 'key', 'fingerprint', 'operation',
  'is_accepted', 'retention_ms', 'claim_mac')
if record[1] ~= 'STARTED' then
  return {'GONE'}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local is_accepted = record[7] and record[7] ~= ''
local grace = is_accepted and 0 or ARGV[2]  -- who was told 202 does not come back
if record[2] + grace >= now then
  return {'ALIVE', record[2]}
end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'lease_expires_at', now + ARGV[3])
redis.call('PEXPIRE', KEYS[1], math.max(2 * ARGV[3], record[8]))
return {'TAKEN_OVER', record[5], record[6], record[8], record[9], record[3], record[4], record[7]}
