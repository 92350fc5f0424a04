import { isDeepStrictEqual } from 'node:util'
import type { RoutingRule } from '../../fulfilment/schemas.ts'
import type { HubState } from './hub-state.ts'
import type { Fault } from './read-declaration.ts'
import type { Declaration, DeclaredConnection, DeclaredRule } from './schema.ts'
import type { MemberChange, Skipped, Step } from './step.ts'

export interface SettingsPlan {
  steps: Step[]
  faults: Fault[]
  skipped: Skipped[]
}

type Settings = Pick<HubState, 'connections' | 'schedules' | 'rules'>

/** Plans schedules and routing rules. Those of a connection wait until it is created. */
export function planSettings ({ connections = [] }: Declaration, state: Settings): SettingsPlan {
  const idOf = new Map(state.connections.map(({ id, name }) => [name, id]))
  const declaredNames = new Set(connections.map(({ name }) => name))
  const plan: SettingsPlan = { steps: [], faults: [], skipped: [] }
  for (const [index, declared] of connections.entries()) {
    const pointer = `/connections/${index}`
    const unknown = unknownCarriers(declared, pointer, name => idOf.has(name) || declaredNames.has(name))
    plan.faults.push(...unknown)
    const id = idOf.get(declared.name)
    if (id === undefined) {
      plan.skipped.push(...waitingOf(declared))
      continue
    }
    const schedules = planSchedules(declared, id, pointer, state)
    plan.steps.push(...schedules.steps, ...unknown.length > 0 ? [] : planRules(declared, id, state, idOf))
    plan.faults.push(...schedules.faults)
  }
  return plan
}

function unknownCarriers (
  { routingRules = [] }: DeclaredConnection,
  pointer: string,
  isKnown: (name: string) => boolean
): Fault[] {
  return routingRules.flatMap(({ carrier }, index) =>
    carrier === undefined || isKnown(carrier)
      ? []
      : [{ pointer: `${pointer}/routingRules/${index}/carrier`, message: `no connection is called '${carrier}'` }]
  )
}

function waitingOf ({ name, schedules = {}, routingRules = [] }: DeclaredConnection): Skipped[] {
  const why = { reason: 'the connection does not exist yet', isUntilCreated: true }
  return [
    ...Object.keys(schedules).map(schedule => ({ object: 'schedule' as const, name: `${name}/${schedule}`, ...why })),
    ...routingRules.length === 0 ? [] : [{ object: 'routing rules' as const, name, ...why }]
  ]
}

function planSchedules (
  { name: connection, schedules = {} }: DeclaredConnection,
  id: string,
  pointer: string,
  { schedules: present }: Settings
): { steps: Step[], faults: Fault[] } {
  const own = new Map(present.filter(({ connectionId }) => connectionId === id).map(view => [view.name, view]))
  const faults: Fault[] = []
  const steps = Object.entries(schedules).flatMap(([name, declared]): Step[] => {
    const view = own.get(name)
    if (view === undefined) {
      const names = [...own.keys()].join(', ') || 'none'
      const message = `connection '${connection}' has no such schedule; it has ${names}`
      faults.push({ pointer: `${pointer}/schedules/${name}`, message })
      return []
    }
    const changes = (['every', 'enabled'] as const).flatMap((member): MemberChange[] =>
      declared[member] === undefined || declared[member] === view[member]
        ? []
        : [{ pointer: `/${member}`, from: view[member], to: declared[member] }]
    )
    if (changes.length === 0) return []
    const path = `/connections/${id}/schedules/${encodeURIComponent(name)}`
    const request = { method: 'PATCH' as const, path, body: declared }
    return [{ object: 'schedule', name: `${connection}/${name}`, action: 'change', changes, request }]
  })
  return { steps, faults }
}

/** Declared rules replace those of their delivery methods; rules of other methods stay. */
function planRules (
  { name, routingRules = [] }: DeclaredConnection,
  id: string,
  { rules }: Settings,
  idOf: ReadonlyMap<string, string>
): Step[] {
  const before = new Map((rules.get(id) ?? []).map(rule => [rule.sourceDeliveryMethodId, withoutAbsent(rule)]))
  const after = new Map(before)
  for (const rule of routingRules) after.set(rule.sourceDeliveryMethodId, toRule(rule, idOf))
  const changes = [...after].flatMap(([method, to]): MemberChange[] => {
    const from = before.get(method)
    return isDeepStrictEqual(from, to) ? [] : [{ pointer: `/${method}`, ...from === undefined ? {} : { from }, to }]
  })
  if (changes.length === 0) return []
  const request = {
    method: 'PUT' as const,
    path: `/connections/${id}/routing-rules`,
    body: { items: [...after.values()] }
  }
  return [{ object: 'routing rules', name, action: 'change', changes, request }]
}

function toRule ({ carrier, ...rule }: DeclaredRule, idOf: ReadonlyMap<string, string>): RoutingRule {
  const processorConnectionId = carrier === undefined ? undefined : idOf.get(carrier)
  return processorConnectionId === undefined ? rule : { ...rule, processorConnectionId }
}

function withoutAbsent ({ processorConnectionId, ...rule }: RoutingRule): RoutingRule {
  return processorConnectionId === undefined ? rule : { ...rule, processorConnectionId }
}
