/** The rules of a marketplace as one JSON array, in the order of the set. Null without rules. */
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

/** Reads the version and the rules of a set together. Version 0: no set was ever stored. */
export const selectRuleSet = `
  select
    coalesce((select version from routing_rule_sets where connection_id = $1), 0) as version,
    coalesce((${rulesAsJson}), '[]') as rules`

/**
 * Stores the rules of a set in the order of the JSON array. Leaves out rules of the kind
 * `omp_fulfilled`: a delivery method without a rule is handled like that anyway.
 */
export const insertRules = `
  insert into routing_rules (
    connection_id, source_delivery_method_id, processor_kind, processor_connection_id, position
  )
  select
    $1, rule ->> 'sourceDeliveryMethodId', rule ->> 'processorKind',
    (rule ->> 'processorConnectionId')::uuid, position
  from jsonb_array_elements($2::jsonb) with ordinality as given (rule, position)
  where rule ->> 'processorKind' <> 'omp_fulfilled'`

export const countRules = 'select count(*)::integer as count from routing_rules where connection_id = $1'

export const deleteRules = 'delete from routing_rules where connection_id = $1'

export const deleteRuleSet = 'delete from routing_rule_sets where connection_id = $1'

const mostNaming = 20

export const selectNaming = `
  select connections.id, connections.name, count(*)::integer as count
  from routing_rules
  join connections on connections.id = routing_rules.connection_id
  where routing_rules.processor_connection_id = $1
    and routing_rules.connection_id <> $1
  group by connections.id, connections.name
  order by connections.name, connections.id
  limit ${mostNaming}`
