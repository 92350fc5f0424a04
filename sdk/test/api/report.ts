import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sdk = fileURLToPath(new URL('../../', import.meta.url))

/** An entry of the package that authors import. Its report is `sdk/api/{name}.api.md`. */
interface Entry {
  name: string
  types: string
  /** Its declarations may need some that only other entries export. */
  needsOthers: boolean
}

export const entries: readonly Entry[] = [
  { name: 'index', types: 'dist/index.d.ts', needsOthers: false },
  { name: 'testing', types: 'dist/testing/index.d.ts', needsOthers: true },
  { name: 'html', types: 'dist/html/index.d.ts', needsOthers: false }
]

export const reportOf = (name: string): string => join(sdk, 'api', `${name}.api.md`)

/**
 * Describes the public declarations of a built entry, without their docstrings. Refuses an entry
 * that does not export a declaration which a public one needs, because authors could not name it.
 * `directory` takes files that nobody needs afterwards.
 */
export async function describeApi ({ name, types, needsOthers }: Entry, directory: string): Promise<string> {
  const entry = join(sdk, types)
  await mkdir(directory, { recursive: true })
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(sdk, 'package.json'),
    configObject: {
      mainEntryPointFilePath: entry,
      projectFolder: sdk,
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: 'nodenext',
            target: 'es2024',
            strict: true,
            skipLibCheck: true,
            types: ['node']
          },
          files: [entry]
        }
      },
      apiReport: {
        enabled: true,
        reportFolder: directory,
        reportTempFolder: join(directory, 'made'),
        reportFileName: `${name}.api.md`
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.None },
          'ae-forgotten-export': { logLevel: needsOthers ? ExtractorLogLevel.None : ExtractorLogLevel.Error }
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } }
      }
    }
  })
  const faults: string[] = []
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback (message) {
      message.handled = true
      if (message.logLevel === ExtractorLogLevel.Error) faults.push(message.formatMessageWithLocation(sdk))
    }
  })
  if (!succeeded) throw new Error(`the declarations of '${name}' cannot be read:\n${faults.join('\n')}`)
  return readFile(join(directory, 'made', `${name}.api.md`), 'utf8')
}
