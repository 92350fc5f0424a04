import { defineEntity, p } from '@mikro-orm/core'

/** The version of a marketplace's routing rules. It grows with each replacement. */
export const RoutingRuleSet = defineEntity({
  name: 'RoutingRuleSet',
  tableName: 'routing_rule_sets',
  properties: {
    connectionId: p.uuid().primary(),
    version: p.integer()
  }
})

/**
 * Says who ships the orders of a marketplace with this delivery method. Without a rule, the
 * master shop or an operator ships them (specification, section 2.8).
 */
export const RoutingRuleRow = defineEntity({
  name: 'RoutingRuleRow',
  tableName: 'routing_rules',
  properties: {
    connectionId: p.uuid().primary(),
    sourceDeliveryMethodId: p.text().primary(),
    processorKind: p.text().$type<'hub_managed_carrier' | 'source_brokered'>(),
    /** The carrier; null when the marketplace brokers the shipment. */
    processorConnectionId: p.uuid().strictNullable(),
    /** The place of the rule in its set. */
    position: p.integer()
  }
})
