export const claimKey = `
  insert into idempotency_keys as kept (route, key, body_hash, operation_id, lease_until, expires_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (route, key) do update set
    body_hash = excluded.body_hash,
    lease_until = excluded.lease_until,
    answer_status = null,
    answer_headers = null,
    answer_body = null,
    operation_id = case when kept.expires_at <= $7 then excluded.operation_id else kept.operation_id end,
    expires_at = case when kept.expires_at <= $7 then excluded.expires_at else kept.expires_at end
  where kept.expires_at <= $7
    or (kept.answer_status is null and kept.lease_until <= $7 and kept.body_hash = excluded.body_hash)
  returning operation_id as "operationId"`

export const selectKey = `
  select body_hash as "bodyHash", answer_status as status, answer_headers as headers, answer_body as body
  from idempotency_keys
  where route = $1 and key = $2`

const isUnanswered = 'route = $1 and key = $2 and operation_id = $3 and answer_status is null'

export const updateAnswer = `
  update idempotency_keys set answer_status = $4, answer_headers = $5, answer_body = $6
  where ${isUnanswered}`

export const updateLease = `
  update idempotency_keys set lease_until = $4
  where ${isUnanswered}`

export const deleteUnanswered = `
  delete from idempotency_keys
  where ${isUnanswered}`

export const deleteExpired = `
  delete from idempotency_keys
  where (route, key) in (
    select route, key
    from idempotency_keys
    where expires_at <= $1
    limit $2
  )
  returning 1`
