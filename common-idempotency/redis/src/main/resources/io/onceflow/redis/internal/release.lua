-- Forgets a claim, if it is still its owner's. KEYS[1] the record; ARGV: token.
local record = redis.call('HMGET', KEYS[1], 'status', 'token')
if record[1] == 'STARTED' and record[2] == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
