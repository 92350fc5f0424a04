import type { AdapterProblem } from '../../adapters/states.ts'

/** Remedies for what authors meet while they write. docs/errors.md has those of all codes. */
const remedies: readonly [pattern: RegExp, remedy: string][] = [
  [
    /npm run build failed/,
    'correct what the build names'
  ],
  [
    /TypeScript .*(?:is not supported in strip-only mode|syntax is not supported)|ERR_UNSUPPORTED_TYPESCRIPT/i,
    'write TypeScript that Node can strip (`erasableSyntaxOnly` in tsconfig.json), or start with --build'
  ],
  [
    /Cannot find module .*\.[cm]?js'/,
    'import the source with its ending .ts (`rewriteRelativeImportExtensions` in tsconfig.json), build the package, ' +
    'or start with --build'
  ],
  [/Cannot find package/, 'run npm install in the folder'],
  [/is not JSON|LNK_ADAPTER_MANIFEST_INVALID/, 'correct package.json'],
  [/LNK_ADAPTER_SHAPE_INVALID|LNK_ADAPTER_PERMISSION/, 'correct the definition, or `linker` in package.json'],
  [/LNK_ADAPTER_CONFLICT/, 'load one of the two folders only']
]

/** Describes why an adapter does not serve: the code, the place and the remedy. */
export function describeProblem (problem: AdapterProblem | Error, directory: string): string[] {
  const code = 'code' in problem ? problem.code : undefined
  const text = problem.message
    .replace(/^'[^']*' \([^)]*\): /, '')
    .replaceAll(`${directory}/`, '')
  const known = remedies.find(([pattern]) => pattern.test(`${code ?? ''} ${text}`))?.[1]
  const explained = code === undefined ? '' : `; docs/errors.md of @linker/runtime explains ${code}`
  const remedy = known ?? `correct it and save${explained}`
  const [first = '', ...rest] = text.split('\n')
  return [`${code === undefined ? '' : `${code}: `}${first}`, ...rest, `remedy: ${remedy}`]
}
