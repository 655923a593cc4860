-- Remembers that the caller was told 202. KEYS[1] the record; ARGV: token, code.
local record = redis.call('HMGET', KEYS[1], 'status', 'token')
if record[1] == 'STARTED' and record[2] == ARGV[1] then
  return redis.call('HSET', KEYS[1], 'is_accepted', ARGV[2])
end
return 0
