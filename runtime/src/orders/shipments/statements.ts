export const selectShipment = `
  select
    order_id as "orderId", connection_id as "connectionId", status, begun_at as "begunAt",
    external_id as "externalId", tracking, problem, created_at as "createdAt", updated_at as "updatedAt"
  from shipments
  where order_id = $1`

export const selectByNumber = "select from shipments where order_id = $1 and tracking ->> 'number' = $2"

export const insertRequested = `
  insert into shipments (order_id, connection_id, status, problem)
  values ($1, $2, 'requested', $3)
  on conflict do nothing`

export const updateToBegun = 'update shipments set begun_at = coalesce(begun_at, now()) where order_id = $1'

export const updateAllToBegun = `
  update shipments set begun_at = now()
  where status = 'requested' and begun_at is null`

export const updateToCreated = `
  update shipments set
    status = 'created',
    external_id = $2,
    tracking = $3,
    problem = null,
    updated_at = now()
  where order_id = $1`

export const updateToCancelled = `
  update shipments set status = 'cancelled', problem = null, updated_at = now()
  where order_id = $1`

export const updateToFailed = `
  update shipments set status = 'failed', problem = $2, updated_at = now()
  where order_id = $1`
