-- Renews a lease, if it is still its owner's. KEYS[1] the record; ARGV: token, lease in ms.
-- Returns the time in ms, or nothing when the claim is another's or gone.
local record = redis.call('HMGET', KEYS[1], 'status', 'token', 'retention_ms')
if record[1] ~= 'STARTED' or record[2] ~= ARGV[1] then
  return false
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'lease_expires_at', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], math.max(2 * ARGV[2], record[3]))
return now
