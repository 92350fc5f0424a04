import { registerHooks } from 'node:module'
import type { Test } from 'tap'

const tests = new Map<string, Test>()
const parameter = 'of'
const ownTest = new URL('./own-test.ts', import.meta.url)
const testDomains = new URL('./test-domains.ts', import.meta.url)

/** Gives `t` to the file at `url` when it imports tap, not the test of the whole process. */
export function giveOwnTest (url: string, t: Test): void {
  tests.set(url, t)
}

export function testOf (importing: string): Test {
  const t = tests.get(new URL(importing).searchParams.get(parameter) ?? '')
  if (t === undefined) throw new Error(`${importing} has no test of its own`)
  return t
}

/** Call it before the first import of tap. */
export function interceptTap (): void {
  registerHooks({
    resolve (specifier, context, nextResolve) {
      if (specifier === 'async-hook-domain') return { url: testDomains.href, shortCircuit: true }
      const { parentURL = '' } = context
      if (specifier !== 'tap' || !tests.has(parentURL)) return nextResolve(specifier, context)
      const url = new URL(ownTest)
      url.searchParams.set(parameter, parentURL)
      return { url: url.href, shortCircuit: true }
    }
  })
}
