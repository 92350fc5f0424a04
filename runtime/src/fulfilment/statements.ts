export const selectCapable = `
  select
    id, name, adapter_key as "adapterKey", adapter_version as "adapterVersion",
    status, status_reason as "statusReason"
  from connections
  where capabilities @> $1::jsonb
  order by created_at, id`

const rulesAsJson = `
  select jsonb_agg(
    jsonb_build_object(
      'sourceDeliveryMethodId', source_delivery_method_id,
      'processorKind', processor_kind,
      'processorConnectionId', processor_connection_id
    )
    order by position
  )
  from routing_rules
  where connection_id = $1`

export const selectRuleSet = `
  select
    coalesce((select version from routing_rule_sets where connection_id = $1), 0) as version,
    coalesce((${rulesAsJson}), '[]') as rules`

export const insertRules = `
  insert into routing_rules (
    connection_id, source_delivery_method_id, processor_kind, processor_connection_id, position
  )
  select
    $1, rule ->> 'sourceDeliveryMethodId', rule ->> 'processorKind',
    (rule ->> 'processorConnectionId')::uuid, position
  from jsonb_array_elements($2::jsonb) with ordinality as given (rule, position)
  where rule ->> 'processorKind' <> 'omp_fulfilled'`
