/**
 * How often a check enters an unfinished schema again: at the same place of the value, in an item,
 * or in a member. A value is an array or an object, so the last two never add up.
 */
export interface Entries {
  here: number
  items: number
  members: number
}

/** The cost of checks per byte, and the unfinished schemas that they enter again. */
export interface Weight {
  cost: number
  again: ReadonlyMap<object, Entries>
}

/** The weight of a check that looks at one value. */
export const nothing: Weight = { cost: 1, again: new Map() }
/** A check that enters no unfinished schema. */
export const none: Entries = { here: 0, items: 0, members: 0 }

/** The weight of checks that look at the same part of the value one after the other. */
export function sum (weights: readonly Weight[]): Weight {
  return join(weights, (one, other) => one + other)
}

/** The weight of checks that look at different parts: the most expensive one counts. */
export function most (weights: readonly Weight[]): Weight {
  return join(weights, Math.max)
}

function join (weights: readonly Weight[], add: (one: number, other: number) => number): Weight {
  const again = new Map<object, Entries>()
  for (const [node, entries] of weights.flatMap(weight => [...weight.again])) {
    const before = again.get(node) ?? none
    again.set(node, {
      here: add(before.here, entries.here),
      items: add(before.items, entries.items),
      members: add(before.members, entries.members)
    })
  }
  return { cost: weights.reduce((total, { cost }) => add(total, cost), 0), again }
}

/** The weight of parts, seen from the value that contains them. */
export function below (place: 'items' | 'members', weights: readonly Weight[]): Weight {
  const { cost, again } = sum(weights)
  const entered = [...again].map(([node, { here, items, members }]): [object, Entries] => {
    return [node, { ...none, [place]: here + Math.max(items, members) }]
  })
  return { cost, again: new Map(entered) }
}
