import { Tracking } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../http/schemas.ts'

const mostRules = 500

const ProcessorKind = Type.Union([
  Type.Literal('hub_managed_carrier'),
  Type.Literal('source_brokered'),
  Type.Literal('omp_fulfilled')
])
export type ProcessorKind = Static<typeof ProcessorKind>

const DeliveryMethodId = Type.String({ minLength: 1, maxLength: 255 })

const ProcessorConnectionId = Type.String({
  format: 'uuid',
  maxLength: 36,
  description: 'The carrier; only with `hub_managed_carrier`'
})

export const RoutingRule = Type.Object({
  sourceDeliveryMethodId: DeliveryMethodId,
  processorKind: ProcessorKind,
  processorConnectionId: Type.Optional(ProcessorConnectionId)
}, { additionalProperties: false })
export type RoutingRule = Static<typeof RoutingRule>

export const RoutingRules = Type.Object({ items: Type.Array(RoutingRule, { maxItems: mostRules }) }, {
  $id: 'RoutingRules',
  additionalProperties: false
})
export type RoutingRules = Static<typeof RoutingRules>

export const Candidate = Type.Object({
  processorKind: ProcessorKind,
  processorConnectionId: Type.Optional(Id),
  displayName: Type.String(),
  reason: Type.Optional(Type.String({ description: 'Reason why it cannot make labels now' }))
}, { $id: 'RoutingCandidate' })
export type Candidate = Static<typeof Candidate>

export const RouteQuery = Type.Object({ deliveryMethodId: DeliveryMethodId }, { additionalProperties: false })

export const RouteView = Type.Object({
  processorKind: ProcessorKind,
  processorConnectionId: Type.Optional(Id),
  explanation: Type.String(),
  problem: Type.Optional(Type.String({ description: 'Reason why an order would wait' }))
}, { $id: 'Route' })

const Time = Type.String({ format: 'date-time' })

export const ShipmentView = Type.Object({
  orderId: Id,
  connectionId: Type.String({ format: 'uuid', description: 'The carrier' }),
  status: Type.Union([
    Type.Literal('requested'),
    Type.Literal('created'),
    Type.Literal('failed'),
    Type.Literal('cancelled')
  ]),
  externalId: Nullable(Type.String()),
  tracking: Nullable(Tracking),
  problem: Nullable(Type.String()),
  createdAt: Time,
  updatedAt: Time
}, { $id: 'Shipment' })
export type ShipmentView = Static<typeof ShipmentView>
