import { compileLinearPattern } from './linear-pattern.ts'
import { escapePointer } from './pointer.ts'
import { below, most, none, nothing, sum, type Weight } from './schema-weight.ts'

/** The reason why a schema must not check data from strangers. `pointer` leads into the schema. */
export interface SchemaFault {
  pointer: string
  message: string
}

/**
 * `cost`: the most steps per byte of a value. Its product with the largest body bounds one check.
 */
export interface SchemaJudgement {
  faults: readonly SchemaFault[]
  cost: number
}

const mostBytes = 262_144
const mostVisits = 20_000
const mostDepth = 200
const mostCost = 5_000
/** The most steps of all patterns together. */
const mostPatternSteps = 50_000
const mostFaults = 20
/** The cost of a format. The runtime tests no text longer than `longestFormatted`. */
const formatCost = 20
/**
 * The cost of `uniqueItems`: the check compares the canonical JSON of the items, once at each level
 * of arrays.
 */
const uniqueItemsCost = 20
const simpleId = /^[A-Za-z0-9_.-]{1,100}$/

interface Found {
  node: unknown
  pointer: string
}

/**
 * Judges an adapter's JSON Schema before it is compiled: whether a check takes time in proportion
 * to the value.
 */
export function judgeSchema (schema: object): SchemaJudgement {
  if (!isShort(schema)) {
    return { faults: [{ pointer: '', message: `has more than ${mostBytes} bytes, or is too deep` }], cost: Infinity }
  }
  const faults: SchemaFault[] = []
  const fault = (pointer: string, message: string): void => {
    faults.push({ pointer, message })
  }
  const ids = collectIds(schema, fault)
  const finished = new Map<object, Weight>()
  const open: object[] = []
  const sizes = new Map<string, number>()
  let patternSteps = 0
  let visits = 0

  function weigh ({ node, pointer }: Found): Weight {
    if (!isObject(node)) return nothing
    const known = finished.get(node)
    if (known !== undefined) return known
    if (open.includes(node)) return { cost: 0, again: new Map([[node, { here: 1, items: 0, members: 0 }]]) }
    visits += 1
    if (visits > mostVisits || open.length > mostDepth) throw new Intricate()
    open.push(node)
    const weight = close(node, sum(weighParts(node, pointer)), pointer)
    open.pop()
    if (weight.again.size === 0) finished.set(node, weight)
    return weight
  }

  /**
   * The cost of a finished schema: a check that enters it again may do so once for each place of
   * the value.
   */
  function close (node: object, { cost, again }: Weight, pointer: string): Weight {
    const { here, items, members } = again.get(node) ?? none
    if (here > 0) {
      fault(pointer, 'refers to itself for the same part of a value, so a check would never end')
    } else if (Math.max(items, members) > 1) {
      fault(pointer, 'refers to itself more than once for a part of the value: the time doubles with every level')
    }
    return { cost, again: new Map([...again].filter(([other]) => other !== node)) }
  }

  function weighParts (node: object, pointer: string): Weight[] {
    const at = (value: unknown, ...path: string[]): Weight => {
      return weigh({ node: value, pointer: pointer + path.map(name => `/${escapePointer(name)}`).join('') })
    }
    const parts = new Map<string, unknown>(Object.entries(node))
    const each = (keyword: string): Weight[] => {
      return entriesOf(parts.get(keyword)).map(([name, value]) => at(value, keyword, name))
    }
    const one = (keyword: string): Weight[] => parts.has(keyword) ? [at(parts.get(keyword), keyword)] : []
    const items = parts.get('items')
    return [
      own(node, pointer),
      ...typeof parts.get('$ref') === 'string' ? [weighReference(String(parts.get('$ref')), pointer)] : [],
      ...['allOf', 'anyOf', 'oneOf', 'dependencies', 'dependentSchemas'].flatMap(each),
      ...['not', 'if', 'then', 'else'].flatMap(one),
      below('items', [
        Array.isArray(items) ? most(each('items')) : sum(one('items')),
        ...['additionalItems', 'contains'].flatMap(one)
      ]),
      // A member may be one of `properties` and match every pattern too.
      below('members', [
        most(each('properties')),
        ...each('patternProperties'),
        ...['additionalProperties', 'propertyNames'].flatMap(one)
      ])
    ]
  }

  function own (node: object, pointer: string): Weight {
    if (Object.hasOwn(node, '$async')) {
      fault(`${pointer}/$async`, 'makes checks asynchronous: the hub does not wait for them')
    }
    const { pattern, patternProperties, format, uniqueItems, ...others } = node as Record<string, unknown>
    const { enum: values, const: value, properties, required, dependencies } = others
    const patterns: [string, string][] = [
      ...typeof pattern === 'string' ? [['/pattern', pattern] as [string, string]] : [],
      ...entriesOf(patternProperties)
        .map(([name]): [string, string] => [`/patternProperties/${escapePointer(name)}`, name])
    ]
    const sizes = patterns.map(([place, text]) => sizeOf(text, pointer + place))
    const costs = [
      1,
      ...sizes,
      format === undefined ? 0 : formatCost,
      uniqueItems === true ? uniqueItemsCost : 0,
      comparisonCost(values),
      comparisonCost([value]),
      entriesOf(properties).length,
      entriesOf(required).length,
      ...entriesOf(dependencies).map(([, needed]) => Array.isArray(needed) ? needed.length : 0)
    ]
    return { cost: costs.reduce((total, cost) => total + cost, 0), again: new Map() }
  }

  function sizeOf (pattern: string, pointer: string): number {
    const known = sizes.get(pattern)
    if (known !== undefined) return known
    const size = measure(pattern, pointer)
    sizes.set(pattern, size)
    // Count every pattern: compiling takes time, too.
    patternSteps += Math.max(size, 1)
    if (patternSteps > mostPatternSteps || faults.length > mostFaults) throw new Intricate()
    return size
  }

  function measure (pattern: string, pointer: string): number {
    try {
      return compileLinearPattern(pattern).size
    } catch (error) {
      fault(pointer, `is a pattern that is refused: ${error instanceof Error ? error.message : String(error)}`)
      return 0
    }
  }

  function weighReference (reference: string, pointer: string): Weight {
    const found = resolve(reference)
    if (found !== undefined) return weigh(found)
    const allowed = "an $id of a part of this schema and, where no part has one, a pointer such as '#/definitions/name'"
    fault(`${pointer}/$ref`, `refers to '${reference.slice(0, 200)}': allowed is ${allowed}`)
    return nothing
  }

  function resolve (reference: string): Found | undefined {
    const named = ids.get(reference)
    if (named !== undefined) return { node: named, pointer: `(${reference})` }
    // If a part has an id of its own, the start of a pointer depends on the place.
    const isPointer = reference === '#' || reference.startsWith('#/')
    if (!isPointer || [...ids.values()].some(node => node !== schema)) return undefined
    let found: Found = { node: schema, pointer: '#' }
    for (const name of reference.split('/').slice(1).map(unescapeReference)) {
      if (!isObject(found.node) || !Object.hasOwn(found.node, name)) return undefined
      found = { node: Reflect.get(found.node, name), pointer: `${found.pointer}/${escapePointer(name)}` }
    }
    return found
  }

  try {
    const { cost } = weigh({ node: schema, pointer: '' })
    if (faults.length === 0 && cost > mostCost) {
      const allowed = `${mostCost} are allowed: use fewer alternatives, shorter patterns and fewer members`
      fault('', `may take ${Math.round(cost)} steps for each byte of a value, and ${allowed}`)
    }
    return { faults, cost }
  } catch (error) {
    if (!(error instanceof Intricate)) throw error
    return { faults: [...faults, { pointer: '', message: 'is too large or too deep to be judged' }], cost: Infinity }
  }
}

class Intricate extends Error {}

/** The cost of a comparison: texts and numbers compare at once, everything else part by part. */
function comparisonCost (values: unknown): number {
  if (!Array.isArray(values)) return 0
  return values.reduce((total: number, value: unknown) => {
    if (value === undefined) return total
    return total + (isObject(value) ? JSON.stringify(value).length : 1)
  }, 0)
}

/**
 * Collects the ids of parts of the schema. Refuses an id that Ajv would resolve to something else.
 */
function collectIds (schema: object, fault: (pointer: string, message: string) => void): ReadonlyMap<string, object> {
  const ids = new Map<string, object>()
  const waiting: [object, string][] = [[schema, '']]
  for (const [node, pointer] of waiting) {
    const id: unknown = Array.isArray(node) ? undefined : Reflect.get(node, '$id')
    if (typeof id === 'string') {
      if (ids.has(id)) fault(`${pointer}/$id`, `is '${id.slice(0, 200)}', like that of another part of the schema`)
      else if (simpleId.test(id)) ids.set(id, node)
      else if (node !== schema) {
        fault(`${pointer}/$id`, `is '${id.slice(0, 200)}': letters, digits, '.', '-' and '_' are allowed`)
      }
    }
    for (const [name, member] of Object.entries(node)) {
      if (isObject(member)) waiting.push([member, `${pointer}/${escapePointer(name)}`])
    }
  }
  return ids
}

/**
 * Whether the schema is short. Returns false when it is too deep to serialise: this thread may have
 * a smaller stack than the one that the schema comes from.
 */
function isShort (schema: object): boolean {
  try {
    return JSON.stringify(schema).length <= mostBytes
  } catch {
    return false
  }
}

function unescapeReference (part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

function entriesOf (value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

function isObject (value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
