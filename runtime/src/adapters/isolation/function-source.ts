import { Session, type Debugger, type Runtime } from 'node:inspector'

const suspectKey = Symbol.for('linker.suspect')

/**
 * The `file:` URL of the module in which a function was written; undefined when V8 does not know or
 * cannot be asked. The question takes about 0.1 s.
 */
export function sourceOf (value: unknown): string | undefined {
  if (typeof value !== 'function') return undefined
  const session = new Session()
  try {
    session.connect()
    Reflect.set(globalThis, suspectKey, value)
    const scripts = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ params }: { params: Debugger.ScriptParsedEventDataType }) => {
      scripts.set(params.scriptId, params.url)
    })
    let scriptId: string | undefined
    // A session with its own thread answers before `post` returns.
    session.post('Debugger.enable')
    session.post(
      'Runtime.evaluate',
      { expression: `globalThis[Symbol.for('${suspectKey.description}')]` },
      (_error: Error | null, answer?: Runtime.EvaluateReturnType) => {
        const objectId = answer?.result.objectId
        if (objectId === undefined) return
        session.post(
          'Runtime.getProperties',
          { objectId, ownProperties: true },
          (_failure: Error | null, found?: Runtime.GetPropertiesReturnType) => {
            const location: unknown = found?.internalProperties?.find(({ name }) => name === '[[FunctionLocation]]')
              ?.value?.value
            if (typeof location === 'object' && location !== null && 'scriptId' in location) {
              scriptId = String(location.scriptId)
            }
          }
        )
      }
    )
    return scripts.get(scriptId ?? '')
  } catch {
    return undefined
  } finally {
    Reflect.deleteProperty(globalThis, suspectKey)
    session.disconnect()
  }
}
