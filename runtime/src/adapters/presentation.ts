import { readIcon, readStartInside } from '@linker/sdk/host'
import { joinWarnings, type AdapterPackage } from './discover.ts'

const changelogFile = 'CHANGELOG.md'
const mostChangelogBytes = 256 * 1024

/**
 * Adds the icon of a package, and whether it has a changelog. An icon that cannot be shown becomes
 * a warning.
 */
export async function present (found: AdapterPackage): Promise<AdapterPackage> {
  const { directory, packageName, manifest: { icon: path } } = found
  const hasChangelog = await readStartInside(directory, changelogFile, 0).then(() => true, () => false)
  if (path === undefined) return { ...found, hasChangelog }
  try {
    return { ...found, hasChangelog, icon: await readIcon(directory, path) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const warning = `'${packageName}' (${directory}): its icon is left out: ${reason}`
    return { ...found, hasChangelog, warning: joinWarnings(found.warning, warning) }
  }
}

/** Reads the changelog of a package as text. Undefined when there is none. */
export async function readChangelog ({ directory }: Pick<AdapterPackage, 'directory'>): Promise<string | undefined> {
  const read = await readStartInside(directory, changelogFile, mostChangelogBytes).catch(() => undefined)
  if (read === undefined) return undefined
  const { bytes, size } = read
  // Streaming keeps back a character that the cut would split.
  const text = new TextDecoder().decode(bytes, { stream: true })
  return size > bytes.length ? `${text}\n\n(cut: the file has ${size} bytes)\n` : text
}
