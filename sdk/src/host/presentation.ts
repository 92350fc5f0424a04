import { Value } from '@sinclair/typebox/value'
import { createHash } from 'node:crypto'
import { linkNames, Links, Manifest } from '../manifest.ts'
import { readInside, UnreadableFile } from './read-inside.ts'

/** The icon of an adapter, as a browser gets it. */
export interface Icon {
  type: 'image/svg+xml' | 'image/png'
  bytes: Buffer
  /** Names the content. */
  etag: string
}

export const mostIconBytes = 16 * 1024
const mostWarnings = 5

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
// A document type is refused: its entities can make a small file huge.
const svgStart = /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<svg[\s>]/

/**
 * Takes the links and the icon out of a manifest that are wrong: they are only for people, and must
 * not keep an adapter from serving. Each warning is one sentence.
 */
export function withoutWrongPresentation (given: unknown): { manifest: unknown, warnings: string[] } {
  if (!isObject(given)) return { manifest: given, warnings: [] }
  const { links, icon, ...manifest } = given
  const warnings: string[] = []
  if (links !== undefined && !isObject(links)) warnings.push('/linker/links is left out: it must be an object')
  if (isObject(links)) {
    const entries = Object.entries(links)
    const right = entries.filter(([name, link]) => isLink(name, link))
    const wrong = entries.filter(([name, link]) => !isLink(name, link))
    warnings.push(...wrong.slice(0, mostWarnings).map(([name]) =>
      `/linker/links/${name.slice(0, 50)} is left out: links are ${linkNames.join(', ')}, ` +
      'each an address that begins with https://, without a user and with at most 500 characters'
    ))
    manifest.links = Object.fromEntries(right)
  }
  if (Value.Check(Manifest.properties.icon, icon)) manifest.icon = icon
  else if (icon !== undefined) warnings.push('/linker/icon is left out: it must be the path of a file in the package')
  return { manifest, warnings }
}

/** Reads the icon that a manifest names. Throws an error that says why it cannot be shown. */
export async function readIcon (directory: string, path: string): Promise<Icon> {
  const bytes = await readInside(directory, path, mostIconBytes).catch((error: unknown) => {
    throw error instanceof UnreadableFile ? error : new UnreadableFile(`${path} cannot be read`)
  })
  const type = typeOf(bytes)
  if (type === undefined) {
    throw new UnreadableFile(`${path} is neither PNG nor SVG: SVG is UTF-8 that begins with <svg, without a DOCTYPE`)
  }
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** The name of the file may lie. */
function typeOf (bytes: Buffer): Icon['type'] | undefined {
  if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return 'image/png'
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return svgStart.test(text) ? 'image/svg+xml' : undefined
  } catch {
    return undefined
  }
}

function isLink (name: string, link: unknown): boolean {
  return Value.Check(Links, { [name]: link }) && URL.canParse(String(link))
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
