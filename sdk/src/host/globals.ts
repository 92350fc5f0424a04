const builtIns = ['Array', 'Object', 'Function', 'String', 'Number', 'Boolean', 'Promise', 'Map', 'Set', 'RegExp', 'Date', 'Error', 'URL', 'JSON', 'Math', 'Reflect']

type Snapshot = ReadonlyMap<string, unknown>

/** Remembers the global object and the built-in prototypes; the answer tells what is another thing, or new, since. */
export function watchGlobals (): () => string[] {
  const before = takeSnapshot()
  return () => [...takeSnapshot()].filter(([name, value]) => before.has(name) ? before.get(name) !== value : isBuiltIn(name)).map(([name]) => name)
}

// A new global variable harms nobody; a new member of a prototype appears in everybody's objects.
function isBuiltIn (name: string): boolean {
  return name.includes('.')
}

function takeSnapshot (): Snapshot {
  const targets: [string, object][] = builtIns.flatMap(name => {
    const builtIn: unknown = Reflect.get(globalThis, name)
    if (typeof builtIn !== 'function') return typeof builtIn === 'object' && builtIn !== null ? [[`${name}.`, builtIn]] : []
    return [[`${name}.`, builtIn], [`${name}.prototype.`, builtIn.prototype as object]]
  })
  return new Map([['', globalThis], ...targets].flatMap(([prefix, target]) => Object.entries(Object.getOwnPropertyDescriptors(target))
    // Node defines many globals lazily: reading one replaces its getter, and that is nobody's patch.
    .flatMap(([name, { value }]): [string, unknown][] => typeof value === 'function' ? [[`${String(prefix)}${name}`, value]] : [])))
}
