import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '../support/project.ts'

/** A request as a README names it, such as `POST /tokens` (`{ name, scope, expiresAt? }`). */
export interface ReadmeRequest {
  file: string
  method: string
  path: string
  query: readonly string[]
  /** The text of the body, in braces. */
  body: string | undefined
}

// The READMEs of adapters and simulators name the requests of platforms.
const files = ['README.md', 'runtime/**/*.md', 'sdk/client/README.md', 'examples/carrier-adapter/README.md']
const request = /`(GET|POST|PATCH|PUT|DELETE) (\/[^`?]*)(?:\?([^`]*))?`(?:(?: \(| with )`(\{[^`]*\})`)?/g

/** Reads the requests of the hub's own operations. */
export async function readReadmeRequests (): Promise<ReadmeRequest[]> {
  const found: ReadmeRequest[] = []
  for await (const file of glob(files, { cwd: repository, exclude: path => path.includes('node_modules') })) {
    const text = (await readFile(join(repository, file), 'utf8')).replaceAll(/\s+/g, ' ')
    for (const [, method = '', path = '', query = '', body] of text.matchAll(request)) {
      if (path.startsWith('/integrations/')) continue
      found.push({ file, method, path, query: query.split('&').filter(part => part !== ''), body })
    }
  }
  return found
}

/**
 * The literals that a body stands for. `{ name, scope? }` names members: there is one literal with
 * those that are needed, and one with all. Other bodies are JSON.
 */
export function literalsOf (body: string): string[] {
  if (body.includes('"')) return [body]
  const inner = body.slice(1, -1)
  const members = [...inner.matchAll(/(\w+)(\?)?(?:: (\{[^}]*\}))?(?:, |\s*$)/g)].map(([, name = '', mark, value]) => ({
    isOptional: mark === '?',
    text: `${name}: ${value === undefined ? 'anything' : literalsOf(value).at(-1) ?? ''}`
  }))
  if (members.length === 0) throw new Error(`the body ${body} of a README is not understood`)
  const literal = (of: typeof members): string => `{ ${of.map(({ text }) => text).join(', ')} }`
  return [...new Set([literal(members.filter(({ isOptional }) => !isOptional)), literal(members)])]
}

/** `wait=30` → `wait: 30`, `q=` → `q: anything`. */
export function queryMember (part: string): string {
  const [name = '', value = ''] = part.split('=')
  const [first = ''] = value.split('|')
  if (first === '') return `${name}: anything`
  return `${name}: ${/^(?:\d+|true|false)$/.test(first) ? first : `'${first}'`}`
}
