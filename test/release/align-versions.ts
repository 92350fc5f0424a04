/** The texts of files, by their paths in the repository. */
export type Files = ReadonlyMap<string, string>

/** Files beside the package.json of each workspace that repeat a version. */
export const repeating = {
  contract: 'sdk/src/adapter.ts',
  report: 'sdk/api/index.api.md',
  readme: 'sdk/README.md',
  image: 'examples/deploy/Containerfile'
} as const

/**
 * Brings the versions that Lerna does not know in line with those of the workspaces: the pins of
 * the root, the ranges of peers and engines, and the version of the contract, which is that of the
 * SDK. Returns the new texts of the files that change.
 */
export function alignVersions (files: Files): Map<string, string> {
  const versions = versionsIn(files)
  const contract = versions.get('@linker/sdk')
  if (contract === undefined) throw new Error('sdk/package.json is missing among the files')
  const changed = new Map<string, string>()
  for (const [path, text] of files) {
    const aligned = align(path, text, versions, contract)
    if (aligned !== text) changed.set(path, aligned)
  }
  return changed
}

function versionsIn (files: Files): Map<string, string> {
  const manifests = [...files].filter(([path]) => path.endsWith('/package.json')).map(([, text]) =>
    JSON.parse(text) as { name: string, version: string }
  )
  return new Map(manifests.map(({ name, version }) => [name, version]))
}

function align (path: string, text: string, versions: ReadonlyMap<string, string>, contract: string): string {
  if (path === repeating.contract) return replaceOnce(path, text, /(?<=contractVersion = ')[^']*/g, contract)
  if (path === repeating.report) return replaceOnce(path, text, /(?<=contractVersion = ")[^"]*/g, contract)
  if (path === repeating.image) {
    return text.replaceAll(
      /(@linker\/[\w-]+)@\d[\w.+-]*/g,
      (whole, name: string) => versions.has(name) ? `${name}@${versions.get(name)}` : whole
    )
  }
  // The README shows authors the newest contract; our own adapters take every patch of it.
  const rangeOf = path === repeating.readme ? (version: string) => `^${version}` : caretOf
  const alignOwn = (part: string, isRange: (caret: string) => boolean): string =>
    part.replaceAll(/"(@linker\/[\w-]+)": "(\^?)\d[^"]*"/g, (whole, name: string, caret: string) => {
      const version = versions.get(name)
      if (version === undefined) return whole
      return `"${name}": "${isRange(caret) ? rangeOf(version) : version}"`
    })
  // Lerna writes exact versions everywhere, but an adapter must take the SDK that its hub has.
  return alignOwn(text, caret => caret === '^')
    .replaceAll(/"peerDependencies": \{[^}]*\}/g, peers => alignOwn(peers, () => true))
    .replaceAll(/(?<="linker": ")\^\d[^"]*/g, rangeOf(contract))
}

/** The range of all versions of this minor and later ones of the same major. */
function caretOf (version: string): string {
  const [major, minor] = version.split('.')
  return version.includes('-') ? `^${version}` : `^${major}.${minor}.0`
}

/** A text that no longer has the place must not pass as aligned. */
function replaceOnce (path: string, text: string, place: RegExp, value: string): string {
  const found = text.match(place)?.length ?? 0
  if (found !== 1) throw new Error(`${path} has ${found} places for the version of the contract, not one`)
  return text.replaceAll(place, value)
}
