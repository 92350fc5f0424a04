// Each script is one step: Redis runs no other command in between, and its log holds the whole
// script or nothing of it. A script uses `pcall` where a failure belongs to one event of many, and
// `call` where a failure ends the whole script.

/** Most entries in one node of a stream, by the default of Redis (`stream-node-max-entries`). */
const entriesOfNode = 100

/**
 * KEYS: stream, then marker and epoch key of each event. ARGV: marker TTL in seconds, then per
 * event: epoch, how many strings follow, fields and values. Returns one of 0 duplicate, 1
 * published, 2 stale, or the text of the error, per event.
 */
export const ingest = `
local results, at = {}, 2
for i = 2, #KEYS, 2 do
  local n = tonumber(ARGV[at + 1])
  local epoch = redis.pcall('GET', KEYS[i + 1])
  local result
  if type(epoch) == 'table' then result = epoch.err
  elseif epoch ~= ARGV[at] then result = 2
  elseif redis.call('EXISTS', KEYS[i]) == 1 then result = 0
  else
    local id = redis.pcall('XADD', KEYS[1], '*', unpack(ARGV, at + 2, at + 1 + n))
    if type(id) == 'table' then result = id.err
    else
      redis.pcall('SET', KEYS[i], 'done', 'EX', ARGV[1])
      result = 1
    end
  end
  results[#results + 1] = result
  at = at + 2 + n
end
return results`

/**
 * KEYS: jobs stream, then job marker and source stream of each job. ARGV: marker TTL in seconds,
 * then per job: group, source id ('' for none), how many strings follow, fields and values. Returns
 * per job: 1 or 0 (new or known) and the id of its entry, or the text of the error.
 */
export const enqueue = `
local results, at = {}, 2
for i = 2, #KEYS, 2 do
  local group, source, n = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  local isNew = 0
  local id = redis.pcall('GET', KEYS[i])
  if not id then
    id = redis.pcall('XADD', KEYS[1], '*', unpack(ARGV, at + 3, at + 2 + n))
    if type(id) ~= 'table' then
      isNew = 1
      redis.pcall('SET', KEYS[i], id, 'EX', ARGV[1])
    end
  end
  local failed = type(id) == 'table' and id
  if not failed and source ~= '' then
    local acked = redis.pcall('XACK', KEYS[i + 1], group, source)
    if type(acked) == 'table' then failed = acked end
  end
  results[#results + 1] = failed and failed.err or {isNew, id}
  at = at + 3 + n
end
return results`

/** KEYS: epoch key. ARGV: epoch, TTL in seconds. */
export const raiseEpoch = `
local known = redis.call('GET', KEYS[1])
if known and tonumber(known) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1`

/**
 * KEYS: stream, key that holds the place where the last look ended. ARGV: group, entries of the
 * head, entries at the head above which a connection is being served, entries to look at, entries
 * to answer, life of the place in seconds, its life after the end was reached. Returns the entries,
 * and 1 when no more entries follow. The script reads in small steps, because entries may be large.
 */
export const readAhead = `
if redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('NOGROUP No such stream ' .. KEYS[1]) end
local function parse (id) local ms, seq = string.match(id, '(%d+)%-(%d+)') return tonumber(ms), tonumber(seq) end
local function isBefore (a, b)
  local aMs, aSeq = parse(a)
  local bMs, bSeq = parse(b)
  return aMs < bMs or (aMs == bMs and aSeq < bSeq)
end
local function connectionOf (parts)
  for i = 1, #parts - 1, 2 do
    if parts[i] == 'connectionId' then return parts[i + 1] end
    if parts[i] == 'metadataJson' then
      local id = string.match(parts[i + 1], '"connectionId"%s*:%s*"([^"]+)"')
      if id then return id end
    end
  end
  return ''
end
local function look (from, count, mostBytes, see)
  local seen, bytes, step = 0, 0, 5
  while seen < count and bytes < mostBytes do
    local wanted = math.min(step, count - seen)
    local entries = redis.call('XRANGE', KEYS[1], '(' .. from, '+', 'COUNT', wanted)
    for _, entry in ipairs(entries) do
      see(entry, connectionOf(entry[2]))
      for i = 2, #entry[2], 2 do bytes = bytes + #entry[2][i] end
    end
    seen = seen + #entries
    if #entries > 0 then from = entries[#entries][1] end
    if #entries < wanted then return from, true end
    if bytes < mostBytes / 8 then step = step * 2 end
  end
  return from, false
end

local from
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local info = {}
  for i = 1, #group, 2 do info[group[i]] = group[i + 1] end
  if info['name'] == ARGV[1] then from = info['last-delivered-id'] end
end
if not from then return redis.error_reply('NOGROUP No such consumer group ' .. ARGV[1]) end
local served = {}
local headEnd = look(from, tonumber(ARGV[2]), 1048576, function (_, connection)
  served[connection] = (served[connection] or 0) + 1
end)
local last = redis.call('GET', KEYS[2])
from = last and isBefore(headEnd, last) and last or headEnd

local found, connections = {}, {}
local to, isEnd = look(from, tonumber(ARGV[4]), 2097152, function (entry, connection)
  if (served[connection] or 0) > tonumber(ARGV[3]) then return end
  if not found[connection] then
    found[connection] = {}
    connections[#connections + 1] = connection
  end
  table.insert(found[connection], entry)
end)
-- Redis that is full takes no new place. Then nothing is looked for behind, rather than the same again and again.
local life = {'EX', isEnd and ARGV[7] or ARGV[6]}
local left = redis.call('TTL', KEYS[2])
if isEnd and left >= 0 and left <= tonumber(ARGV[7]) then life = {'KEEPTTL'} end
local place = redis.pcall('SET', KEYS[2], to, unpack(life))
if type(place) == 'table' and place.err then isEnd = true end
table.sort(connections, function (a, b) return #found[a] < #found[b] end)
local answer = {}
for _, connection in ipairs(connections) do
  for i = 1, math.min(#found[connection], ARGV[5] - #answer) do answer[#answer + 1] = found[connection][i] end
end
return {answer, isEnd and 1 or 0}`

/**
 * KEYS: stream. ARGV: group, consumer, min idle in ms, cursor, count. Returns next cursor, entries,
 * deliveries of each, ids of entries that were deleted while pending.
 */
export const claim = `
local found = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], 'COUNT', ARGV[5])
local deliveries = {}
for i, entry in ipairs(found[2]) do
  deliveries[i] = redis.call('XPENDING', KEYS[1], ARGV[1], entry[1], entry[1], 1)[1][4]
end
return {found[1], found[2], deliveries, found[3]}`

/**
 * KEYS: stream, dead stream. ARGV: group, id, reason, deliveries. Nothing happens when the entry is
 * not pending any more.
 */
export const deadLetter = `
if #redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1) == 0 then return 0 end
local fields = {'sourceStream', KEYS[1], 'sourceId', ARGV[2], 'reason', ARGV[3], 'deliveries', ARGV[4]}
local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
if entry then for _, part in ipairs(entry[2]) do fields[#fields + 1] = part end end
redis.call('XADD', KEYS[2], '*', unpack(fields))
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
return 1`

/**
 * KEYS: stream. ARGV: age in ms at which entries are removed, most younger entries and most bytes
 * to keep, most entries to remove in one call. Removes only entries below the smallest id that some
 * group has not acknowledged. Returns how many entries it removed.
 */
export const trim = `
local function parse (id) local ms, seq = string.match(id, '(%d+)%-(%d+)') return tonumber(ms), tonumber(seq) end
local function lower (a, b)
  local aMs, aSeq = parse(a)
  local bMs, bSeq = parse(b)
  if aMs < bMs or (aMs == bMs and aSeq < bSeq) then return a end
  return b
end
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local floor
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local info = {}
  for i = 1, #group, 2 do info[group[i]] = group[i + 1] end
  local first = info['last-delivered-id']
  if info['pending'] > 0 then first = redis.call('XPENDING', KEYS[1], info['name'])[2] end
  floor = floor and lower(floor, first) or first
end
if not floor then return 0 end
local time = redis.call('TIME')
local oldest = string.format('%.0f-0', time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1])
local removed = redis.call('XTRIM', KEYS[1], 'MINID', '~', lower(oldest, floor), 'LIMIT', ARGV[4])
local length = redis.call('XLEN', KEYS[1])
local bytes = redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 0) or 0
local tooMany = length - ARGV[2]
if bytes > tonumber(ARGV[3]) then
  -- As many as have these bytes on average. Never fewer than a node holds: Redis removes whole nodes.
  tooMany = math.max(tooMany, math.ceil(length * (1 - ARGV[3] / bytes)), ${entriesOfNode})
end
local excess = math.min(tooMany, ARGV[4] - removed)
if excess > 0 then removed = removed + redis.call('XTRIM', KEYS[1], 'MINID', '~', floor, 'LIMIT', excess) end
return removed`

/** KEYS: dead stream. ARGV: age in ms. */
export const trimDead = `
local time = redis.call('TIME')
return redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f-0', time[1] * 1000 - ARGV[1]))`

/**
 * KEYS: stream. ARGV: min idle in ms. Removes the consumers of every group that own nothing and
 * were silent for longer than that.
 */
export const dropConsumers = `
local dropped = {}
if redis.call('EXISTS', KEYS[1]) == 0 then return dropped end
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], group[2])) do
    local info = {}
    for i = 1, #consumer, 2 do info[consumer[i]] = consumer[i + 1] end
    if info['pending'] == 0 and info['idle'] > tonumber(ARGV[1]) then
      redis.call('XGROUP', 'DELCONSUMER', KEYS[1], group[2], info['name'])
      dropped[#dropped + 1] = info['name']
    end
  end
end
return dropped`
